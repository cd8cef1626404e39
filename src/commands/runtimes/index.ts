import Scan from '../agent/scan.js';

export default class Runtimes extends Scan {
  static override summary = 'Show which runtimes are installed (the same as `agent scan`).';
  static override examples = ['<%= config.bin %> runtimes', '<%= config.bin %> runtimes --installed --json'];
}
