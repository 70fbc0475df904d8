'use client'

import { Button, TextButton } from '@/components/ui/controls/button'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { t } from '@/lib/i18n/t'
import { useCall } from '../scope/call-scope'
import { footButton, CardFoot, Meta, Fact, cardBody, footEnd, CardBody } from '../styles/card'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { visibleText } from '@/lib/base/untrusted-text/foreign-text'
import { type SandboxEvent, waitedPart, waitsFor } from '@/lib/sandbox/sandbox'
import { useState } from 'react'
import { ConsoleLines } from '@/components/ui/code/console-lines'
import { CopyButton } from '@/components/ui/controls/copy-button'
import { progressBar } from '@/components/ui/recipes/recipe'
import { formatDuration } from '@/lib/base/text/locale'
import { CallEvidence, evidenceText } from '../evidence/call-evidence'
import { unfinishedResultText } from '../settled/settled-lines'

/** Started, but other calls run before it. */
export function QueuedBody() {
  const { decide } = useCall()
  return (
    <>
      <Meta>
        <Fact>{t('card-running.queued')}</Fact>
      </Meta>
      <CardFoot look="flat">
        <Button className={footButton} onClick={decide.stop}>
          {t('card-running.not-run')}
        </Button>
      </CardFoot>
    </>
  )
}

const SHOWN_LINES = 8

/** It runs, in this tab or in another one. */
export function RunningBody({ here }: { here: boolean }) {
  const { entry, tool, summary, timeoutMs, decide } = useCall()
  const { call, live } = entry
  const modelText = unfinishedResultText(entry)
  const [showCall, setShowCall] = useState(false)
  const waiting = waitsFor(live?.events ?? [])
  const part = waitedPart(live?.events ?? [])
  const remote = live?.events.findLast((event) => event.type === 'remote') ?? null
  const lines = (live?.events ?? []).flatMap((event) => (event.type === 'console' ? [event] : []))
  return (
    <>
      <Meta>
        <Fact>{t(here ? 'card-running.here' : 'card-running.elsewhere')}</Fact>
        {tool ? <Fact>{t('card-waiting.network', { network: tool.policy.capabilities.network })}</Fact> : null}
        <Fact>
          {t('card-running.stops-after', {
            span: formatDuration(timeoutMs).replace(/\.0(?=\D)/, ''),
            begun: waiting === '',
          })}
        </Fact>
      </Meta>
      {modelText === null ? null : (
        <Meta>
          <Fact>
            <SentenceText text={modelText} />
          </Fact>
        </Meta>
      )}
      {waiting === '' ? null : (
        <p data-part="body" className={cardBody({}, 'px-3.5 pt-2.5 text-muted narrow:px-3')} role="status">
          {waiting}…
        </p>
      )}
      {waiting === '' || part === null ? null : (
        <progress
          className={progressBar({}, 'mx-3.5 mt-1.5 block w-[calc(100%-1.75rem)]')}
          aria-label={waiting}
          value={part.done}
          max={part.of}
        />
      )}
      {remote === null ? null : <RemoteProgress {...remote} />}
      {lines.length > 0 ? (
        <CardBody>
          <ConsoleLines lines={lines} last={SHOWN_LINES} />
        </CardBody>
      ) : null}
      {showCall ? <CallEvidence summary={summary} args={call.arguments} /> : null}
      <CardFoot>
        {here ? (
          <Button className={footButton} onClick={decide.stop}>
            {t('card-running.stop')}
          </Button>
        ) : null}
        {here && tool?.policy.capabilities.network === 'remote' ? (
          <span className="text-sm text-muted">{t('card-running.stop-remote')}</span>
        ) : null}
        <span className={footEnd()}>
          <TextButton aria-pressed={showCall} onClick={() => setShowCall(!showCall)}>
            {t(summary?.body.kind === 'code' ? 'card-running.code' : 'card-running.call')}
          </TextButton>
          <CopyButton text={() => evidenceText(summary, call.arguments)} />
        </span>
      </CardFoot>
    </>
  )
}

/** The server's own progress message; a progress bar only if it gives a total. */
function RemoteProgress({ host, message, done, of, isUnheard }: Extract<SandboxEvent, { readonly type: 'remote' }>) {
  if (isUnheard) {
    return (
      <p data-part="body" className={cardBody({}, 'px-3.5 pt-2.5 text-sm text-warn narrow:px-3')} role="status">
        <SentenceText text={t('card-running.unheard', { host: asUntrusted(host) })} />
      </p>
    )
  }
  return (
    <>
      <p data-part="body" className={cardBody({}, 'px-3.5 pt-2.5 wrap-anywhere narrow:px-3')} role="status">
        <b>
          <ForeignText text={host} />
        </b>
        {': '}
        {message === '' ? t('card-running.remote-at', { done, of }) : <ForeignText text={message} reading="prose" />}
      </p>
      {of === null || of <= 0 ? null : (
        <progress
          className={progressBar({}, 'mx-3.5 mt-1.5 block w-[calc(100%-1.75rem)]')}
          aria-label={visibleText(host, 'name')}
          value={Math.min(done, of)}
          max={of}
        />
      )}
    </>
  )
}
