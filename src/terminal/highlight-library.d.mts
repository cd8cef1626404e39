/** What we use of highlight.js 11. */
export interface Library {
  getLanguage(name: string): unknown;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
}
declare const library: Library;
export default library;
