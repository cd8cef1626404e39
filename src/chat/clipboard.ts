/** The picture of the clipboard as a file. A terminal sends text alone, so the desktop's own program is asked. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandOf, system32 } from '../process/system-program.js';
import { privateDir } from '../process/temp-files.js';

/** Programs that print the picture as PNG; those of other desktops are missing or fail. */
const PROGRAMS: Readonly<Partial<Record<NodeJS.Platform, readonly (readonly [string, ...string[]])[]>>> = {
  linux: [
    ['wl-paste', '--type', 'image/png'],
    ['xclip', '-selection', 'clipboard', '-t', 'image/png', '-o'],
  ],
  darwin: [['pngpaste', '-']],
  win32: [
    [
      system32('WindowsPowerShell\\v1.0\\powershell.exe'),
      '-NoProfile',
      '-Command',
      'Add-Type -A System.Windows.Forms,System.Drawing; $i=[Windows.Forms.Clipboard]::GetImage(); if($i){$m=New-Object IO.MemoryStream; $i.Save($m,[Drawing.Imaging.ImageFormat]::Png); $o=[Console]::OpenStandardOutput(); $m.WriteTo($o)}',
    ],
  ],
};

/** @returns the path of a private file; null where there is no picture, or no program that could say so */
export async function clipboardPicture(): Promise<string | null> {
  const { execa } = await import('execa');
  for (const [program, ...args] of PROGRAMS[process.platform] ?? []) {
    const { exitCode, stdout } = await execa(commandOf(program, process.env), args, {
      reject: false,
      encoding: 'buffer',
      timeout: 5000,
    });
    if (exitCode !== 0 || stdout.length === 0) continue;
    const dir = await privateDir();
    const path = join(dir.path, 'clipboard.png');
    await writeFile(path, stdout, { mode: 0o600 });
    return path;
  }
  return null;
}
