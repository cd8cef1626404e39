/** The order of events that the contract promises, as `turnout conformance` checks it. */

export { orderFault } from '../../src/conformance/order.js';
