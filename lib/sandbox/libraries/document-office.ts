import { readOfficeDocument } from '../documents/read-office'
import { serveReader } from '../frame/documents/serve-reader'

serveReader(async (format, data, { about, part }) => {
  const { parts, summary } = await readOfficeDocument(format, data)
  about(summary)
  for (const each of parts) part(each)
  return summary
})
