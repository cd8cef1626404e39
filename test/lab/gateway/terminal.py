"""Runs a program in a terminal of its own and prints what a person would see, as JSON lines, whenever it changes.

stdin: JSON strings, one a line, that are typed. Needs pyte."""

import fcntl, json, os, pty, select, struct, sys, termios, time

import pyte

COLUMNS, LINES = 110, 60

screen = pyte.HistoryScreen(COLUMNS, LINES, history=2000)
stream = pyte.ByteStream(screen)
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
shown, last, rest = None, 0.0, b""


def show():
    global shown, last
    now = [line.rstrip() for line in screen.display]
    if now == shown:
        return
    shown, last = now, time.time()
    print(json.dumps([line for line in now if line]), flush=True)


inputs = [fd, 0]
while True:
    ready, _, _ = select.select(inputs, [], [], 0.1)
    if fd in ready:
        try:
            data = os.read(fd, 65536)
        except OSError:
            data = b""
        if not data:
            break
        stream.feed(data)
        # What terminals answer when they are asked where the cursor is, and what they are.
        if b"\x1b[6n" in data:
            os.write(fd, b"\x1b[1;1R")
        if b"\x1b[c" in data:
            os.write(fd, b"\x1b[?62c")
    if 0 in ready:
        data = os.read(0, 65536)
        if not data:
            inputs.remove(0)
            os.kill(pid, 15)
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            os.write(fd, json.loads(line).encode())
    if time.time() - last > 0.1:
        show()
show()
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status) & 127)
