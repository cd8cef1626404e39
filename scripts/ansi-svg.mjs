// Screens of a terminal, as `tmux capture-pane -e` prints them → one SVG that shows them one after another.

const CHAR = 8.4;
const LINE = 18;
const PAD = 16;
const COLOURS = ['#45475a', '#f38ba8', '#a6e3a1', '#f9e2af', '#89b4fa', '#f5c2e7', '#94e2d5', '#cdd6f4'];
const INK = '#cdd6f4';
const PAPER = '#1e1e2e';

const safe = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function changed(look, codes) {
  let now = { ...look };
  for (const code of codes === '' ? [0] : codes.split(';').map(Number)) {
    if (code === 0) now = {};
    else if (code === 1) now.bold = true;
    else if (code === 2) now.dim = true;
    else if (code === 3) now.italic = true;
    else if (code === 4) now.underline = true;
    else if (code === 22) now = { ...now, bold: false, dim: false };
    else if (code === 39) now.colour = undefined;
    else if (code >= 30 && code <= 37) now.colour = COLOURS[code - 30];
    else if (code >= 90 && code <= 97) now.colour = COLOURS[code - 90];
  }
  return now;
}

function span(text, { bold, dim, italic, underline, colour }) {
  if (text === '') return '';
  const style = [
    colour ? `fill="${colour}"` : '',
    bold ? 'font-weight="bold"' : '',
    italic ? 'font-style="italic"' : '',
    underline ? 'text-decoration="underline"' : '',
    dim ? 'opacity=".6"' : '',
  ].filter(Boolean);
  return style.length === 0 ? safe(text) : `<tspan ${style.join(' ')}>${safe(text)}</tspan>`;
}

/** The look of a line goes on in the next one. */
function line(text, row, before) {
  let look = before;
  let at = 0;
  let out = '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of a terminal are what is read
  for (const found of text.matchAll(/\u001b(?:\[([\d;]*)m|[()][A-Z0-9])/g)) {
    out += span(text.slice(at, found.index), look);
    at = found.index + found[0].length;
    if (found[1] !== undefined) look = changed(look, found[1]);
  }
  out += span(text.slice(at), look);
  const shown = out.trim() === '' ? '' : `<text y="${PAD + (row + 1) * LINE}">${out}</text>`;
  return { shown, look };
}

/**
 * @param {{screen: string, ms: number}[]} frames each with how long it is shown
 * @param {{columns: number, rows: number, title: string}} size
 * @returns {string} an SVG; without motion it shows the last frame
 */
export function svg(frames, { columns, rows, title }) {
  const [width, height] = [Math.ceil(columns * CHAR + 2 * PAD), rows * LINE + 2 * PAD + 6];
  const total = frames.reduce((sum, { ms }) => sum + ms, 0);
  let from = 0;
  const rules = [];
  const groups = frames.map(({ screen, ms }, index) => {
    const [begin, end] = [(from / total) * 100, ((from + ms) / total) * 100];
    from += ms;
    const last = index === frames.length - 1;
    const show = `${begin.toFixed(2)}%{visibility:visible}${last ? '' : `${end.toFixed(2)}%{visibility:hidden}`}`;
    rules.push(
      `@keyframes f${index}{0%{visibility:${index === 0 ? 'visible' : 'hidden'}}${show}100%{visibility:${last ? 'visible' : 'hidden'}}}`,
    );
    rules.push(`.f${index}{animation:f${index} ${total}ms step-end infinite}`);
    let look = {};
    let lines = '';
    for (const [row, text] of screen.split('\n').slice(0, rows).entries()) {
      const drawn = line(text, row, look);
      lines += drawn.shown;
      look = drawn.look;
    }
    return `<g class="f${index}"${last ? '' : ' visibility="hidden"'}>${lines}</g>`;
  });
  const still = `@media (prefers-reduced-motion:reduce){g[class]{animation:none}}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${safe(title)}</title>
<style>text{white-space:pre;font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:${INK}}${rules.join('')}${still}</style>
<rect width="100%" height="100%" rx="8" fill="${PAPER}"/>
<g transform="translate(${PAD} 0)">
${groups.join('\n')}
</g>
</svg>
`;
}
