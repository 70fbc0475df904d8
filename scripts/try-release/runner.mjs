import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import path from 'node:path'

/*
 * Root gives the program its own root: mounts that only this process tree sees, read-only except for the data, and the
 * image's user. The shell becomes the program, so a signal to it reaches the program.
 */
const ENTER = `
root=$1 data=$2; shift 2
mount --bind "$root" "$root" && mount --bind "$root$data" "$root$data" && mount -t proc proc "$root/proc" &&
mount -o remount,ro,bind "$root" && cd / && exec env -i "$@"`

/**
 * Runs commands of the image in `root`, which `layOut` created.
 * @param {string} root
 * @param {import('./image.mjs').Image} image
 */
export function runnerIn(root, image) {
  const isRoot = process.getuid?.() === 0
  if (isRoot) spawnSync('mknod', ['-m', '666', path.join(root, 'dev/null'), 'c', '1', '3'])
  const apart = isRoot && tryToEnter(root, image)

  /** @param {readonly string[]} command as in the image */
  function launch(command, env) {
    const all = { ...image.env, ...env }
    const pairs = Object.entries(all).map(([name, value]) => `${name}=${value}`)
    if (apart) return spawn('unshare', enterArgs(root, image, pairs, command), { stdio: ['ignore', 'pipe', 'pipe'] })
    const [program, ...rest] = command.map((part) => (part.startsWith('/') ? path.join(root, part) : part))
    const options = {
      cwd: path.join(root, image.app),
      env: { ...all, NOD_DATA_DIR: path.join(root, image.data) },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(isRoot ? { uid: image.user, gid: image.user } : {}),
    }
    return spawn(program, rest, options)
  }

  function start(command, env = {}) {
    const child = launch(command, env)
    const said = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => said.push(chunk))
    const text = () => Buffer.concat(said).toString('utf8').trim()
    const exited = once(child, 'exit')
    const end = async (signal) => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill(signal)
        await exited
      }
      return child.exitCode
    }
    return {
      said: text,
      /** Never resolves; rejects when it ends. */
      failed: exited.then(([code]) => Promise.reject(new Error(`it ended with ${code}: ${text()}`))),
      exited,
      end: () => end('SIGTERM'),
      kill: () => end('SIGKILL'),
      async residentBytes() {
        const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
        return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024
      },
    }
  }

  return {
    says: apart
      ? `as user ${image.user}, in a read-only root of its own with Node’s libraries alone`
      : isRoot
        ? `as user ${image.user}; this machine lets nobody mount, so its root is this machine’s`
        : 'as you, who are not root: another user and a root of its own were left out',
    start,
    async run(command, env = {}) {
      const child = start(command, env)
      child.failed.catch(() => {})
      const [code] = await child.exited
      return { code, said: child.said() }
    },
  }
}

const enterArgs = (root, image, pairs, command) => [
  '--mount',
  '--propagation',
  'private',
  'sh',
  '-c',
  ENTER,
  'sh',
  root,
  image.data,
  ...pairs,
  '/usr/sbin/chroot',
  `--userspec=${image.user}:${image.user}`,
  root,
  ...command,
]

function tryToEnter(root, image) {
  const done = spawnSync('unshare', enterArgs(root, image, [], [image.command[0], '--version']), { encoding: 'utf8' })
  return done.status === 0
}
