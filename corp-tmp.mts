import '@/lib/i18n/server-messages'
import { readOfficeDocument } from '@/lib/sandbox/documents/read-office'
import { readDocument } from '@/lib/sandbox/read-document'
import { createReaderSandbox } from '@/lib/sandbox/documents/testing/reader-sandbox'
import { documentCorpus, plainWords, headingsOf, itemsOf, rowsOf } from '@/lib/sandbox/documents/testing/document-corpus'
const sandbox = createReaderSandbox()
const same=(a:unknown,b:unknown)=>JSON.stringify(a)===JSON.stringify(b)
let n=0
for (const d of documentCorpus) {
  let parts
  if (d.format==='pdf') { const r = await readDocument(sandbox,{format:'pdf',data:d.data()},new AbortController().signal); if(!r.ok){console.log(d.file,'FAIL',r.error.message);continue}; parts=r.value.parts } else parts=(await readOfficeDocument(d.format,d.data())).parts
  const md = parts.map(p=>p.text).join('\n\n')
  const bad:string[]=[]
  if (d.text) {
    if (plainWords(md)!==d.text.text) bad.push('words')
    if (!same(headingsOf(md),d.text.headings)) bad.push('headings')
    if (!same(itemsOf(md),d.text.items)) bad.push('items')
    if (!same(rowsOf(md),d.text.rows)) bad.push('rows')
    if (parts.some(p=>p.hidden)) bad.push('hidden')
  } else console.log(d.file, parts.map(p=>p.label+': '+p.text.slice(0,80)))
  console.log(bad.length? 'BAD ':'ok  ', d.file, bad.join(' '))
  if (bad.length && process.argv[2] && d.file.includes(process.argv[2])) console.log(md)
  n+=bad.length?1:0
}
console.log(documentCorpus.length, n)
