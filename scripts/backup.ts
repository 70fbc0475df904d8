import { backupMain } from '@/lib/server/wiring/process/backup.server'

// npm run backup [-- FILE], npm run backup -- restore FILE, npm run backup -- check FILE
process.exitCode = await backupMain(process.argv.slice(2), process.env)
