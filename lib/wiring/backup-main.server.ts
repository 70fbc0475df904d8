import { backupMain } from './backup.server'

/*
 * The command of a release: `node backup.cjs backup [FILE]`, `restore FILE`, `check FILE`, with the settings of the server.
 * `npm run backup -- restore FILE` and the others are the same.
 */

const [command, ...args] = process.argv.slice(2)
async function main(): Promise<void> {
  process.exitCode = await backupMain(command, args, process.env)
}

void main()
