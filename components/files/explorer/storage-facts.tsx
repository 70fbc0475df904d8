'use client'

import { useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { TextButton } from '@/components/ui/text-button'
import { formatBytes } from '@/lib/base/format-bytes'

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

const pageStorage = (): StoragePort => (typeof navigator === 'undefined' ? {} : (navigator.storage ?? {}))

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
  const [answer, setAnswer] = useState<string | null>(null)
  useEffect(() => {
    let wanted = true
    void readFacts(port).then((read) => wanted && setFacts(read))
    return () => {
      wanted = false
    }
  }, [port])
  const ask = async () => {
    const granted = (await port.persist?.().catch(() => false)) ?? false
    setAnswer(
      granted
        ? 'The browser agreed: it keeps these files until you delete them.'
        : 'The browser did not agree this time. It decides by itself, mostly by how often you use a page or whether you bookmarked or installed it. Until then, download what matters.',
    )
    setFacts(await readFacts(port))
  }
  if (facts === null) return null
  return (
    <div className="grid justify-items-start gap-2 text-pretty text-muted">
      <p>
        These files live in this browser only. Another browser or device does not see them, and clearing this site’s
        data deletes them. <TextButton onClick={onDownload}>download them as a zip</TextButton>
      </p>
      <p>
        {facts.usedBytes === null || facts.quotaBytes === null
          ? 'This browser does not say how much room it has.'
          : `All chats of this browser use ${formatBytes(facts.usedBytes)}; it has room for ${formatBytes(facts.quotaBytes)}.`}
      </p>
      {facts.kept === true ? (
        answer === null ? (
          <p>The browser keeps them: it does not clear them by itself when the disk runs full.</p>
        ) : null
      ) : (
        <>
          <p>When the disk runs full, the browser may clear them without asking, unless it was asked to keep them.</p>
          {port.persist ? <Button onClick={() => void ask()}>Ask the browser to keep these files</Button> : null}
        </>
      )}
      <p role="status">{answer}</p>
    </div>
  )
}
