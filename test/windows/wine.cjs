// Wine 8 fails `connect` on a socket that was asked to keep alive, which all of `fetch` does.
require('node:net').Socket.prototype.setKeepAlive = function () {
  return this;
};
