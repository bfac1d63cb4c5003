/** Grades of episodes that could not be graded, and the one place where a grader's error becomes such a grade. */
import type { Episode, Grade, Reward } from "./world";

/** Grades a finished episode; an error of the grader becomes an ungraded result with its reason, never a pass. */
export function gradeOf(episode: Episode, rewards: readonly Reward[]): Grade {
  try {
    return { ...episode.grade(), rewards };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return ungraded(`the grader failed: ${reason}`, rewards);
  }
}

/** A result without a grade; aggregates count it as 0 and say how many there were. */
export function ungraded(reason: string, rewards: readonly Reward[] = []): Grade {
  return {
    ungraded: reason,
    strict: null,
    published: null,
    strictTree: null,
    publishedTree: null,
    rewards,
    truth: null,
  };
}
