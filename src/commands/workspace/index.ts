import WorkspaceList from './list.js';

export default class Workspace extends WorkspaceList {
  static override summary = 'List the private copies that turns with --isolate worked in, newest first.';
}
