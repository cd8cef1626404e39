// Builds what runs in the browser into dist/page/: hashed files that a browser may keep for ever, and the document that names them.
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** @param {string} script @param {string} style @returns {string} the document; no inline script or style, the policy forbids them */
const documentOf = (script, style) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<title>Turnout</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page/files/${style}">
<script type="module" src="/page/files/${script}"></script>
</head>
<body><div id="app"></div><noscript>This page needs JavaScript.</noscript></body>
</html>
`;

/**
 * @param {string} root the project folder
 * @param {string} outdir dist/page
 * @param {typeof import('esbuild').build} build
 * @returns {Promise<import('esbuild').Metafile>}
 */
export async function buildPage(root, outdir, build) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { main: 'src/page/main.tsx', style: 'src/page/style.css' },
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome111', 'firefox113', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    minify: true,
    sourcemap: false,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  const named = (name) => basename(Object.keys(metafile.outputs).find((path) => basename(path).startsWith(name)) ?? '');
  const [script, style] = [named('main-'), named('style-')];
  if (script === '' || style === '') throw new Error('the page was built without its script or its style');
  writeFileSync(join(outdir, 'index.html'), documentOf(script, style));
  return metafile;
}
