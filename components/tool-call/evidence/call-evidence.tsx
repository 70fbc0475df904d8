import { CodeBlock } from '@/components/ui/code-block'
import { JsonTree } from '@/components/ui/json-tree'
import type { JsonObject } from '@/lib/base/json'
import type { CallSummary } from '@/lib/shared/tools/tool'
import { t } from '@/lib/i18n/t'
import { ChangeView } from './change-view'
import { PathList } from './path-list'
import { CardBody } from '../styles/card-parts'

/** What a call would do, to be read before Run: the change, the code, or the arguments. */
export function CallEvidence({ summary, args }: { summary: CallSummary | null; args: JsonObject }) {
  const body = summary?.body ?? { kind: 'arguments' as const }
  switch (body.kind) {
    case 'none':
      return null
    case 'code':
      return (
        <CardBody>
          <CodeBlock label={t('card-evidence.code')} text={body.text} language={body.language} />
        </CardBody>
      )
    case 'diff':
      return <ChangeView path={body.path} before={body.before} after={body.after} />
    case 'paths':
      return <PathList {...body} />
    case 'arguments':
      return Object.keys(args).length === 0 ? null : (
        <CardBody>
          <JsonTree label={t('card-evidence.arguments')} value={args} members={12} />
        </CardBody>
      )
  }
}

/** What stands in the evidence, as text for the clipboard. */
export function evidenceText(summary: CallSummary | null, args: JsonObject): string {
  const body = summary?.body
  if (body?.kind === 'code') return body.text
  if (body?.kind === 'diff') return body.after
  if (body?.kind === 'paths') return body.entries.map(({ path }) => path).join('\n')
  return JSON.stringify(args, null, 2)
}
