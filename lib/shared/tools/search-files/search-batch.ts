import { decodeText } from '@/lib/base/text/text-encoding'
import type { LineMatch, SearchReply, SearchRequest } from '../search-worker-port'
import { excerpt, searchedLines } from './searched-files'

/** Lines of these files that contain a text, in any case. The same in the worker and, without one, on the page. */
export function searchBatch({ query, most, excerptCharacters, files }: SearchRequest): SearchReply {
  const wanted = query.toLowerCase()
  const found: LineMatch[] = []
  let searched = 0
  let binary = 0
  for (const { path, data } of files) {
    searched += 1
    const text = decodeText(data)?.text
    if (text === undefined) {
      binary += 1
      continue
    }
    if (!text.toLowerCase().includes(wanted)) continue
    for (const [index, line] of searchedLines(text).entries()) {
      const at = line.toLowerCase().indexOf(wanted)
      if (at < 0) continue
      found.push({ path, line: index + 1, text: excerpt(line, at, excerptCharacters) })
      if (found.length >= most) return { found, searched, binary }
    }
  }
  return { found, searched, binary }
}
