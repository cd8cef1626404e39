import List from './list.js';

/** `turnout runs` alone is the list. */
export default class Runs extends List {}
