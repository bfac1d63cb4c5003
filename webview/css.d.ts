/** esbuild takes a panel's style sheets from its imports and writes them beside its script. */
declare module "*.css";
