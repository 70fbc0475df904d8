// A program from Debian: this machine's own, or one unpacked from Debian's package into a folder of the project.
// Nothing is installed, no service is started, and root is needed only to fetch package lists that were never fetched.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { inRoot } from './paths.mjs'

const tools = {
  nginx: { file: 'usr/sbin/nginx', libraries: ['libcrypt1', 'libpcre2-8-0', 'libssl3', 'zlib1g'] },
  caddy: { file: 'usr/bin/caddy', libraries: [] },
}

/**
 * The path of a tool's program, and the environment that it needs. Throws a sentence with instructions if it is not
 * installed and can't be downloaded.
 * @param {'nginx' | 'caddy'} name
 * @returns {{ file: string, env: Record<string, string> }}
 */
export function debianTool(name) {
  const { file, libraries } = tools[name]
  const installed = path.join('/', file)
  if (existsSync(installed)) return { file: installed, env: {} }
  const folder = inRoot('.cache/debian', name)
  const unpacked = path.join(folder, file)
  if (!existsSync(unpacked)) unpack(name, [name], folder)
  if (lacking(unpacked, {}).length === 0) return { file: unpacked, env: {} }
  const beside = `${folder}-libraries`
  if (!existsSync(beside)) unpack(name, libraries, beside)
  const env = { LD_LIBRARY_PATH: libraryFolders(beside).join(':') }
  const missing = lacking(unpacked, env)
  if (missing.length === 0) return { file: unpacked, env }
  throw new Error(`${name} lacks ${missing.join(', ')} here; install it: apt-get install ${name}`)
}

function unpack(name, packages, folder) {
  const draft = `${folder}.${process.pid}`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  try {
    fetchPackages(name, packages, draft)
    for (const archive of readdirSync(draft).filter((one) => one.endsWith('.deb'))) {
      const done = say('dpkg', ['-x', archive, '.'], draft)
      if (done.status !== 0) throw new Error(`${archive} could not be unpacked: ${done.said}`)
      rmSync(path.join(draft, archive))
    }
    rmSync(folder, { recursive: true, force: true })
    renameSync(draft, folder)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

function fetchPackages(name, packages, folder) {
  const fetch = () => say('apt-get', ['-q', 'download', ...packages], folder)
  const first = fetch()
  if (first.status === 0) return
  // A fresh container has no package lists, or outdated ones.
  const updated = process.getuid?.() === 0 && say('apt-get', ['-q', 'update'], folder).status === 0
  const second = updated ? fetch() : first
  if (second.status === 0) return
  throw new Error(
    `${name} is not on this machine and not to be had from Debian's packages: install it, or run apt-get update. apt-get said: ${second.said}`,
  )
}

function say(command, args, cwd) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  return { status, said: error?.message ?? `${stdout}${stderr}`.trim().slice(-2_000) }
}

/** The names of the libraries that the loader does not find. */
function lacking(file, env) {
  const { stdout } = spawnSync('ldd', [file], { encoding: 'utf8', env: { ...process.env, ...env } })
  return [...(stdout ?? '').matchAll(/^\s*(\S+) => not found$/gm)].map(([, library]) => library)
}

const libraryFolders = (folder) =>
  ['usr/lib', 'lib']
    .map((part) => path.join(folder, part))
    .flatMap((part) => (existsSync(part) ? [part, ...readdirSync(part).map((sub) => path.join(part, sub))] : []))
