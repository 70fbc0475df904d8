import { cp } from 'node:fs/promises'
import path from 'node:path'

/** What each release brings to start by name. */
export const releaseEntries = {
  'serve.cjs': 'lib/wiring/serve.server.ts',
  'backup.cjs': 'lib/wiring/backup-main.server.ts',
}

/** What each of them begins with: an older Node would end with a riddle. Plain enough for it to read. */
export const nodeCheck = (least) =>
  `if (Number(process.versions.node.split(".")[0]) < ${least}) { console.error("[nod] This needs Node ${least} or newer, and is run by Node " + process.versions.node + "."); process.exit(2); }`

/** For whoever runs it: as they stand in the repository, under the same names. */
export const hostFiles = [
  'LICENSE',
  'docs/hosting.md',
  'docs/accounts.md',
  'docs/models.md',
  'deploy/Caddyfile',
  'deploy/nginx.conf',
  'deploy/nod.service',
]

/** Brings them as they are now; they change nothing of what was built. */
export const bringHostFiles = (project, release) =>
  Promise.all(hostFiles.map((name) => cp(path.join(project, name), path.join(release, name))))
