/** Colours and weights of a terminal, or none of them. */

import { styleText } from 'node:util';

export type Style = Exclude<Parameters<typeof styleText>[0], readonly unknown[]>;
export type Paint = (how: Style, text: string) => string;

/** @param colours whether the terminal wants any */
export const painter =
  (colours: boolean): Paint =>
  (how, text) =>
    colours && text !== '' ? styleText(how, text, { validateStream: false }) : text;
