/** Changes one setting in the text of a configuration file. Comments and layout stay as they are. */

import { applyEdits, type FormattingOptions, modify, type ParseError, parse } from 'jsonc-parser';
import type { Json } from '../../contract/vocabulary.js';

/** @returns undefined when the text is not JSON, not even with comments and trailing commas */
export function parseCommented(text: string): unknown {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  return errors.length === 0 ? value : undefined;
}

/** As the file is laid out already; two blanks where it does not say. */
function layoutOf(text: string): FormattingOptions {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}

/**
 * @param text of the file; empty for a new one
 * @param path of the setting
 * @param value undefined removes it
 */
export function edited(text: string, path: readonly string[], value: Json | undefined): string {
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const body = text.slice(bom.length);
  const before = body.trim() === '' ? '{}\n' : body;
  // In front: what stands behind the last setting may be a comment on it.
  const getInsertionIndex = (keys: readonly string[]) => (keys[0] === '$schema' ? 1 : 0);
  const edits = modify(before, [...path], value, { formattingOptions: layoutOf(before), getInsertionIndex });
  return bom + applyEdits(before, edits);
}
