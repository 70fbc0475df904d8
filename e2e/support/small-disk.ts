import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export interface SmallDisk {
  /** Fills the rest of the disk. */
  fill(): void
  /** Frees it again. */
  free(): void
  remove(): void
}

/** A disk of this many bytes under `folder`; needs root, or `sudo` without a password, otherwise an error says so. */
export function mountSmallDisk(folder: string, bytes: number): SmallDisk {
  mkdirSync(folder, { recursive: true })
  const user = `${process.getuid?.() ?? 0}`
  const asRoot = (...command: string[]) => {
    const [file = '', ...rest] = user === '0' ? command : ['sudo', '-n', ...command]
    const { status, stderr, error } = spawnSync(file, rest, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`No disk of its own could be made here: ${error?.message ?? stderr}`)
  }
  asRoot('mount', '-t', 'tmpfs', '-o', `size=${bytes},uid=${user},mode=700`, 'none', folder)
  const filler = path.join(folder, 'filler')
  return {
    fill() {
      for (let size = bytes; size >= 1; size = Math.floor(size / 2)) {
        try {
          for (;;) writeFileSync(filler, Buffer.alloc(size), { flag: 'a' })
        } catch {
          // A write that was too large may still have filled a part.
        }
      }
    },
    free: () => rmSync(filler, { force: true }),
    remove() {
      asRoot('umount', '-l', folder)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
