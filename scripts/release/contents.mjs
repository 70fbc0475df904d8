import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { linksWithin } from './links-within.mjs'

/** The entries that each release can start by name. */
export const releaseEntries = {
  'serve.cjs': 'lib/server/wiring/process/serve.server.ts',
  'backup.cjs': 'lib/server/wiring/process/backup-main.server.ts',
  'accounts.cjs': 'lib/server/wiring/accounts/accounts-main.server.ts',
  'python-add.cjs': 'lib/server/wiring/process/python-add-main.server.ts',
}

/** The commands of a release, with their names in the repository. */
export const releaseScripts = {
  start: 'node serve.cjs',
  accounts: 'node accounts.cjs',
  backup: 'node backup.cjs',
}

/** The start of each entry, because an older Node would fail with an obscure error. Simple enough for it to parse. */
export const nodeCheck = (least) =>
  `if (Number(process.versions.node.split(".")[0]) < ${least}) { console.error("[nod] This needs Node ${least} or newer, and is run by Node " + process.versions.node + "."); process.exit(2); }`

/**
 * How each entry is bundled: one file of plain JavaScript; only Next stays external, where its own build left it.
 * @param {number} least the oldest Node that runs it
 * @returns {import('esbuild').BuildOptions}
 */
export const entryOptions = (least) => ({
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  // Names are kept, for readable stack traces.
  minifySyntax: true,
  minifyWhitespace: true,
  external: ['next', 'pg-native'],
  define: { 'import.meta.dirname': '__dirname' },
  legalComments: 'eof',
  logLevel: 'error',
  banner: { js: nodeCheck(least) },
})

/** For operators: with their names in the repository. */
export const hostFiles = [
  'LICENSE',
  'CHANGELOG.md',
  'compose.yaml',
  'docs/generated/settings.md',
  'docs/hosting/access.md',
  'docs/hosting/accounts.md',
  'docs/hosting/backups.md',
  'docs/hosting/install.md',
  'docs/hosting/limits.md',
  'docs/hosting/models.md',
  'docs/hosting/monitoring.md',
  'docs/hosting/scaling.md',
  'docs/hosting/troubleshooting.md',
  'docs/hosting/updates.md',
  'docs/reference/commands.md',
  'deploy/Caddyfile',
  'deploy/compose.two-nodes.yaml',
  'deploy/kubernetes.yaml',
  'deploy/nginx.conf',
  'deploy/nod.service',
  'deploy/nod-backup.service',
  'deploy/nod-backup.timer',
]

/**
 * Copies the current files; in the pages, only links to other copied pages are kept.
 * @param {string} project @param {string} release
 */
export const bringHostFiles = (project, release) =>
  Promise.all(
    hostFiles.map(async (name) => {
      const to = path.join(release, name)
      await mkdir(path.dirname(to), { recursive: true })
      if (!name.endsWith('.md')) return cp(path.join(project, name), to)
      await writeFile(to, linksWithin(await readFile(path.join(project, name), 'utf8'), name, hostFiles))
    }),
  )

/**
 * The release's package.json: its version, the required Node, and its commands.
 * @param {string} project @param {string} release @param {number} least
 */
export async function writeReleasePackage(project, release, least) {
  const { name, version, description, license, type } = JSON.parse(
    await readFile(path.join(project, 'package.json'), 'utf8'),
  )
  const engines = { node: `>=${least}` }
  const text = JSON.stringify(
    { name, version, private: true, description, license, type, engines, scripts: releaseScripts },
    null,
    2,
  )
  await writeFile(path.join(release, 'package.json'), `${text}\n`)
}
