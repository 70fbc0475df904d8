import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { t } from '@/lib/i18n/t'

/** What a diagram is called where it can't be seen: its kind as its source says it, and its title where it has one. */
export function diagramName(source: string): string {
  const front = /^\s*---\s*\n([^]*?)\n\s*---\s*\n/.exec(source)
  const body = source.slice(front?.[0].length ?? 0).replace(/%%[^\n]*(?:\n|$)/g, '')
  const kind = /^\s*([A-Za-z][\w-]*)/.exec(body)?.[1] ?? 'mermaid'
  const written = /^\s*(?:pie[ \t]+(?:showData[ \t]+)?)?title:?[ \t]+(\S[^\n]*)$/m
  const title = (written.exec(front?.[1] ?? '') ?? written.exec(body))?.[1]?.trim() ?? ''
  const shown = visibleText(kind, 'name').slice(0, 40)
  return title === ''
    ? t('reading.diagram.named', { kind: shown })
    : t('reading.diagram.titled', { kind: shown, title: visibleText(title, 'name').slice(0, 120) })
}
