import HistoryList from './list.js';

export default class History extends HistoryList {}
