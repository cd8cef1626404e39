// Not by its own types: they bring those of a browser into every file.
export { default } from 'highlight.js/lib/common';
