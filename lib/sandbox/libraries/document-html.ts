import { readHtml } from '../documents/html/page-text'
import { serveReader } from '../frame/documents/serve-reader'

serveReader(async (_format, data, { about, part }) => {
  const { parts, summary } = readHtml(new TextDecoder().decode(data))
  about(summary)
  for (const each of parts) part(each)
  return summary
})
