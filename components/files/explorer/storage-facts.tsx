'use client'

import { storageManagerOrNull } from '@/lib/base/features.browser'
import { useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { TextButton } from '@/components/ui/text-button'
import { t } from '@/lib/i18n/t'

export type StoragePort = Partial<Pick<StorageManager, 'estimate' | 'persisted' | 'persist'>>

interface Facts {
  readonly usedBytes: number | null
  readonly quotaBytes: number | null
  /** Null: the browser does not say. */
  readonly kept: boolean | null
}

export interface StorageFactsProps {
  readonly onDownload: () => void
  readonly storage?: StoragePort
}

const pageStorage = (): StoragePort => storageManagerOrNull() ?? {}

async function readFacts(storage: StoragePort): Promise<Facts> {
  const [estimate, kept] = await Promise.all([
    storage.estimate?.().catch(() => null) ?? null,
    storage.persisted?.().catch(() => null) ?? null,
  ])
  return { usedBytes: estimate?.usage ?? null, quotaBytes: estimate?.quota ?? null, kept }
}

/** Where the files live, how sure that is, and what can be done about it. */
export function StorageFacts({ onDownload, storage }: StorageFactsProps) {
  const [port] = useState(() => storage ?? pageStorage())
  const [facts, setFacts] = useState<Facts | null>(null)
  const [answer, setAnswer] = useState<'agreed' | 'not-agreed' | null>(null)
  useEffect(() => {
    let wanted = true
    void readFacts(port).then((read) => wanted && setFacts(read))
    return () => {
      wanted = false
    }
  }, [port])
  const ask = async () => {
    const granted = (await port.persist?.().catch(() => false)) ?? false
    setAnswer(granted ? 'agreed' : 'not-agreed')
    setFacts(await readFacts(port))
  }
  if (facts === null) return null
  return (
    <div className="grid justify-items-start gap-2 text-pretty text-muted">
      <p>
        {t('files-panel.only-here')} <TextButton onClick={onDownload}>{t('files-panel.download-link')}</TextButton>
      </p>
      <p>
        {facts.usedBytes === null || facts.quotaBytes === null
          ? t('files-panel.room-unknown')
          : t('files-panel.room-of', { used: facts.usedBytes, quota: facts.quotaBytes })}
      </p>
      {facts.kept === true ? (
        answer === null ? (
          <p>{t('files-panel.kept')}</p>
        ) : null
      ) : (
        <>
          <p>{t('files-panel.may-clear')}</p>
          {port.persist ? <Button onClick={() => void ask()}>{t('files-panel.ask-keep')}</Button> : null}
        </>
      )}
      <p role="status">{answer === null ? null : t(`files-panel.${answer}`)}</p>
    </div>
  )
}
