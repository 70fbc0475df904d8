import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePorts } from '../setup/free-ports.mjs'
import { readImage } from '../try-release/image.mjs'
import { talkTo } from '../try-release/talk-to.mjs'

/** As `lib/server/wiring/process/serve.server.ts` names it. */
const CACHE = '.compiled'

/**
 * Starts the release once and sends it requests, so that it contains V8's compile cache. A server in a read-only root,
 * like the image's, then compiles nothing that the first visitor needs. Another version of Node ignores the cache.
 * @param {string} release its folder
 * @param {string} basePath
 */
export async function fillCompileCache(release, basePath) {
  const folder = path.join(release, CACHE)
  await rm(folder, { recursive: true, force: true })
  const data = await mkdtemp(path.join(tmpdir(), 'nod-compile-'))
  const port = await freePorts(5600, 1)
  // The build's own environment is not used.
  const env = { NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port), NOD_DATA_DIR: data, NOD_OLLAMA: 'off' }
  const child = spawn(process.execPath, [path.join(release, 'serve.cjs')], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  let said = ''
  child.stderr.on('data', (chunk) => (said += chunk))
  const failed = exited.then(([code]) => Promise.reject(new Error(`the release ended with ${code}: ${said}`)))
  try {
    const origin = `http://127.0.0.1:${port}${basePath}`
    await Promise.race([untilReady(origin).then(() => talkTo(origin)), failed])
    // The cache is written when the process ends.
    child.kill('SIGTERM')
    await exited
  } finally {
    failed.catch(() => {})
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await exited
    await rm(data, { recursive: true, force: true })
  }
  await shareWithImageUser(folder)
}

/** Node separates caches by user, by the end of the folder's name; this one is made readable for all. */
async function shareWithImageUser(folder) {
  const { user } = readImage()
  const own = process.getuid?.()
  for (const name of await readdir(folder)) {
    for (const file of await readdir(path.join(folder, name))) await chmod(path.join(folder, name, file), 0o644)
    if (own === undefined || own === user || !name.endsWith(`-${own}`)) continue
    await symlink(name, path.join(folder, `${name.slice(0, -String(own).length)}${user}`))
  }
}

async function untilReady(origin) {
  for (;;) {
    const answer = await fetch(`${origin}/api/ready`).catch(() => null)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
