import { pythonAddMain } from '@/lib/server/wiring/process/python-add.server'

/* npm run generate -- python-add NAME…: the same as a release's `python-add.cjs`. */

process.exitCode = await pythonAddMain(process.argv.slice(2), process.env, 'npm run generate -- python-add')
