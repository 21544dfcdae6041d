"""A program on a terminal of its own."""
import fcntl
import os
import pty
import struct
import subprocess
import termios
import threading

END = b'\0the end\0'


def run(command, width, environment):
    """(exit code, all that it wrote). This side holds the terminal open and writes the last bytes itself:
    what a terminal has not passed on yet may be lost when the last program closes it."""
    master, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', 50, width, 0, 0))
    output = bytearray()

    def read():
        while not output.endswith(END):
            output.extend(os.read(master, 65536))

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    done = subprocess.run([str(word) for word in command], stdin=terminal, stdout=terminal, stderr=terminal,
                          env=environment, start_new_session=True, timeout=60, check=False)
    os.write(terminal, END)
    reader.join(60)
    os.close(terminal)
    os.close(master)
    return done.returncode, bytes(output).removesuffix(END).decode().replace('\r\n', '\n')
