import { spawnSync } from 'node:child_process'
import { chmod, chown, copyFile, cp, mkdir, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { inRoot, serverEntry } from '../setup/paths.mjs'

/**
 * Creates the image's content in `root`: the release, Node, the libraries that Node needs, and a folder for data.
 * @param {string} root
 * @param {import('./image.mjs').Image} image
 * @returns {Promise<{ app: number, node: number }>} bytes
 */
export async function layOut(root, image) {
  const within = (file) => path.join(root, file)
  const node = inRoot('node_modules/node/bin/node')
  const release = path.dirname(serverEntry())
  await cp(release, within(image.app), { recursive: true, dereference: false, verbatimSymlinks: true })
  for (const file of [node, ...librariesOf(node)]) {
    const target = within(file === node ? image.command[0] : file)
    await mkdir(path.dirname(target), { recursive: true })
    await copyFile(file, target)
  }
  await chmod(within(image.command[0]), 0o755)
  for (const folder of ['proc', 'dev', 'tmp', image.data]) await mkdir(within(folder), { recursive: true })
  const done = spawnSync('chmod', ['-R', 'a-w', within(image.app)], { encoding: 'utf8' })
  if (done.status !== 0) throw new Error(done.stderr)
  // The image's user enters from above, and owns only its data.
  await chmod(root, 0o755)
  await chmod(within(image.data), 0o700)
  if (process.getuid?.() === 0) await chown(within(image.data), image.user, image.user)
  return { app: await bytesUnder(within(image.app)), node: (await stat(node)).size }
}

/** As the loader names them, including itself. */
function librariesOf(file) {
  const { stdout } = spawnSync('ldd', [file], { encoding: 'utf8' })
  return [...(stdout ?? '').matchAll(/^\s*(?:\S+ => )?(\/\S+) \(0x/gm)].map(([, library]) => library)
}

async function bytesUnder(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = await Promise.all(
    entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => stat(path.join(parentPath, name))),
  )
  return sizes.reduce((sum, { size }) => sum + size, 0)
}
