/**
 * Draws media/icon.png, the picture of the extension in the marketplace: a bell with a flame in it, 256 × 256 pixels.
 * Shapes are signed distances, so that the edges are smooth without a drawing library.
 *
 *   node scripts/icon.mjs
 */
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deflateSync } from "node:zlib";

const SIZE = 256;
const BACKGROUND = [27, 38, 59];
const BELL = [224, 225, 221];
const FLAME = [238, 108, 77];
const CORE = [255, 202, 112];

const length = Math.hypot;
const circle = (x, y, cx, cy, r) => length(x - cx, y - cy) - r;
const roundedBox = (x, y, cx, cy, w, h, r) => {
  const dx = Math.abs(x - cx) - w + r;
  const dy = Math.abs(y - cy) - h + r;
  return length(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - r;
};

/** A dome on a widening skirt, a rim and a clapper. */
function bell(x, y) {
  const dome = circle(x, y, 128, 112, 58);
  const half = 58 + Math.max(0, y - 150) * 0.35;
  const skirt = Math.max(Math.abs(x - 128) - half, 112 - y, y - 184);
  const rim = roundedBox(x, y, 128, 186, 84, 9, 9);
  const clapper = Math.max(circle(x, y, 128, 200, 20), 196 - y);
  const knob = circle(x, y, 128, 50, 11);
  return Math.min(dome, skirt, rim, clapper, knob);
}

/** A drop that leans as it rises. */
function flame(x, y, scale) {
  const cy = 142;
  const rise = (cy - y) / scale;
  const lean = rise > 0 ? Math.sin(rise * 2.4) * 0.16 * scale : 0;
  const radius = 34 * scale;
  if (rise <= 0) return circle(x, y, 128, cy, radius);
  if (rise >= 72) return length(x - 128, cy - 72 * scale - y);
  const width = radius * (1 - (rise / 72) ** 1.5) ** 1.1;
  return Math.abs(x - 128 - lean) - width;
}

function coverage(distance) {
  return Math.min(1, Math.max(0, 0.5 - distance));
}

function mix(under, over, share) {
  return under.map((value, i) => value + (over[i] - value) * share);
}

function pixel(x, y) {
  const plate = coverage(roundedBox(x, y, 128, 128, 124, 124, 40));
  let colour = mix(BACKGROUND, BELL, coverage(bell(x, y)));
  colour = mix(colour, FLAME, coverage(flame(x, y, 1)));
  colour = mix(colour, CORE, coverage(flame(x, y + 10, 0.5)));
  return [...colour.map(Math.round), Math.round(plate * 255)];
}

const CRC = Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  let crc = 0xffffffff;
  for (const byte of body) crc = CRC[(crc ^ byte) & 0xff] ^ (crc >>> 8);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE((crc ^ 0xffffffff) >>> 0, body.length + 4);
  return out;
}

const rows = [];
for (let y = 0; y < SIZE; y++) {
  const row = Buffer.alloc(1 + SIZE * 4);
  for (let x = 0; x < SIZE; x++) row.set(pixel(x + 0.5, y + 0.5), 1 + x * 4);
  rows.push(row);
}
const header = Buffer.alloc(13);
header.writeUInt32BE(SIZE, 0);
header.writeUInt32BE(SIZE, 4);
header.set([8, 6, 0, 0, 0], 8);
const png = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  chunk("IHDR", header),
  chunk("IDAT", deflateSync(Buffer.concat(rows), { level: 9 })),
  chunk("IEND", Buffer.alloc(0)),
]);
const target = join(dirname(dirname(fileURLToPath(import.meta.url))), "media", "icon.png");
await writeFile(target, png);
console.log(`${target}: ${png.length} bytes`);
