import PolicyLog from './log.js';

export default class Policy extends PolicyLog {
  static override summary = 'Show what policies decided, the newest last.';
}
