import { backupMain } from './backup.server'

/*
 * The command of a release: `node backup.cjs [backup] [FILE]`, `restore FILE`, `check FILE`, with the settings of the
 * server. In the repository: `npm run backup -- restore FILE`.
 */

async function main(): Promise<void> {
  process.exitCode = await backupMain(process.argv.slice(2), process.env)
}

void main()
