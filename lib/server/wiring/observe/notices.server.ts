import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { releaseFolder } from '../process/release-folder.server'

const notice = z.object({
  name: z.string(),
  /** `4.6.7`, or by whom it is brought along. */
  version: z.string(),
  licence: z.string(),
  /** Where the source is. */
  source: z.string().nullable(),
  /** `the pages`, or paths below `/`. */
  servedIn: z.array(z.string()),
  /** The licence with its copyright, or several. */
  text: z.string(),
})

const notices = z.object({ version: z.string(), licence: z.string(), packages: z.array(notice) })

export type NoticesPage = z.infer<typeof notices>

/** What `npm run build` found in what it had built (`scripts/notices.mjs`); null where there is no build, as in development. */
export async function readNotices(release = releaseFolder()): Promise<NoticesPage | null> {
  const file = path.resolve(/* turbopackIgnore: true */ release, 'notices.json')
  const text = await readFile(/* turbopackIgnore: true */ file, 'utf8').catch(() => null)
  return text === null ? null : notices.parse(JSON.parse(text))
}
