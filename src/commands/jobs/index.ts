import JobsList from './list.js';

export default class Jobs extends JobsList {
  static override summary = 'List coding jobs, newest first.';
}
