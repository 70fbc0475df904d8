'use client'

import { useState } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { requestOpenFile } from '@/components/context/show-in-page'
import { useToolRuntime } from '@/components/context/tool-runtime-context'
import { Button, TextButton } from '@/components/ui/controls/button'
import { useCollected } from '@/components/ui/popups/menu'
import { Icon } from '@/components/ui/controls/icon'
import { Wait } from '@/components/ui/page/wait'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { isJsonObject, type JsonValue } from '@/lib/base/json'
import { formatBytes } from '@/lib/base/text/locale'
import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import type { OfferedPiece } from '@/lib/shared/mcp/offers'
import { toolServers } from '@/lib/client/wiring/tools/tool-servers.browser'
import { t } from '@/lib/i18n/t'
import type { RemoteTool } from '@/lib/shared/conversation/settings/registered-tool'
import { base64Bytes, keepFiles } from '@/lib/shared/tools/offload-result'
import { useCall } from '../scope/call-scope'

interface Link {
  readonly uri: string
  readonly name: string
  readonly about: string
}

const MAX_LINKS = 50

/** The links in a server tool's result, as `readResult` writes them. */
export function linksIn(result: JsonValue): readonly Link[] {
  const links = isJsonObject(result) ? result['links'] : null
  if (!Array.isArray(links)) return []
  return (links as readonly JsonValue[]).slice(0, MAX_LINKS).flatMap((link) => {
    if (!isJsonObject(link)) return []
    const { uri, name, title, mimeType, size } = link
    if (typeof uri !== 'string' || uri === '') return []
    const named = [title, name].find((one): one is string => typeof one === 'string' && one.trim() !== '')
    const about = [
      typeof mimeType === 'string' ? mimeType : '',
      typeof size === 'number' && size >= 0 ? formatBytes(size) : '',
    ]
    return [{ uri, name: (named ?? uri).slice(0, 300), about: about.filter((one) => one !== '').join(', ') }]
  })
}

/** Files that a server linked but did not send. Each is fetched by its own press, and kept for the user. */
export default function ResourceLinks({ result }: { result: JsonValue }) {
  const { entry } = useCall()
  const remote = useConversation((view) => view.tools.find(({ name }) => name === entry.call.name)?.remote)
  const links = linksIn(result)
  if (!remote || links.length === 0) return null
  return (
    <div className="grid gap-2 px-3.5 py-2.5 narrow:px-3">
      <p className="m-0 text-sm text-muted">
        <SentenceText text={t('servers.links.head', { count: links.length, host: asUntrusted(remote.host) })} />
      </p>
      <ul className="grid gap-1.5">
        {links.map((link) => (
          <LinkRow key={link.uri} link={link} remote={remote} isOneOfMany={links.length > 1} />
        ))}
      </ul>
    </div>
  )
}

type Fetched = { readonly is: 'fetching' | 'failed' } | { readonly is: 'kept'; readonly paths: readonly string[] }

function LinkRow({ link, remote, isOneOfMany }: { link: Link; remote: RemoteTool; isOneOfMany: boolean }) {
  const { conversationId, entry } = useCall()
  const runtimeOf = useToolRuntime()
  const [fetched, setFetched] = useState<Fetched | null>(null)
  const fetch = async () => {
    setFetched({ is: 'fetching' })
    try {
      await toolServers.load()
      const answer = await toolServers.offer(remote.server, { ask: 'resource', uri: link.uri })
      const files = answer.ok ? answer.value.pieces.flatMap(fileOf) : []
      const { vfs } = await runtimeOf(conversationId)
      const kept = await keepFiles(files, { vfs: vfs.recording(null), tool: entry.call.name })
      const paths = kept.flatMap((file) =>
        isJsonObject(file) && typeof file['path'] === 'string' ? [file['path']] : [],
      )
      setFetched(paths.length > 0 ? { is: 'kept', paths } : { is: 'failed' })
    } catch {
      setFetched({ is: 'failed' })
    }
  }
  const isOffered = fetched?.is !== 'kept'
  const name = t('servers.links.fetch-named', { name: asUntrusted(link.name) })
  const isCollected = useCollected('', isOffered && isOneOfMany ? [{ label: name, run: () => void fetch() }] : [])
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md border border-line px-3 py-1.5">
      <Icon name="read" className="size-4 flex-none text-muted" />
      <span className="min-w-0 flex-1 wrap-anywhere">
        <ForeignText text={link.name} reading="prose" />
        {link.about === '' ? null : (
          <span className="ms-2 text-sm text-muted">
            <ForeignText text={link.about} reading="prose" />
          </span>
        )}
      </span>
      {isOffered && !(isCollected && isOneOfMany) ? (
        <Button disabled={fetched?.is === 'fetching'} aria-label={labelOf(name)} onClick={() => void fetch()}>
          {t('servers.links.fetch')}
        </Button>
      ) : null}
      {fetched?.is === 'fetching' ? <Wait what={t('servers.links.fetching')} /> : null}
      {fetched?.is === 'failed' ? (
        <p className="m-0 basis-full text-sm text-danger" role="alert">
          <SentenceText text={t('servers.links.failed', { host: asUntrusted(remote.host) })} />
        </p>
      ) : null}
      {fetched?.is === 'kept'
        ? fetched.paths.map((path) => (
            <p key={path} className="m-0 flex basis-full flex-wrap gap-x-3 text-sm text-muted" role="status">
              <span className="min-w-0 flex-1 wrap-anywhere">
                <SentenceText text={t('servers.links.kept', { path: asUntrusted(path) })} />
              </span>
              <TextButton onClick={() => requestOpenFile({ conversationId, path })}>{t('settled.open')}</TextButton>
            </p>
          ))
        : null}
    </li>
  )
}

function fileOf(piece: OfferedPiece) {
  switch (piece.kind) {
    case 'text':
      return [{ mediaType: 'text/plain', bytes: new TextEncoder().encode(piece.text) }]
    case 'bytes':
      return [{ mediaType: piece.mimeType, bytes: base64Bytes(piece.base64.replaceAll(/\s/g, '')) }]
    case 'other':
      return []
  }
}
