'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import { visibleText, cleanName } from '@/lib/base/untrusted-text/foreign-text'
import { useState, useEffect } from 'react'
import { Button } from '@/components/ui/controls/button'
import { Dialog, DialogFoot } from '@/components/ui/popups/dialog'
import { Icon } from '@/components/ui/controls/icon'
import { cx } from '@/components/ui/recipes/recipe'
import { row } from '@/components/ui/recipes/surface'
import { SegmentedControl } from '@/components/ui/forms/segmented-control'
import { Progress } from '@/components/ui/page/progress'
import { Wait } from '@/components/ui/page/wait'
import { t } from '@/lib/i18n/t'
import { formatBytes } from '@/lib/base/text/locale'
import { type Vfs, vfsLimits } from '@/lib/vfs/vfs'
import { placeFiles, type IncomingFile } from '@/lib/client/files/place-files'
import type { ZipContents } from '@/lib/client/files/zip/read-zip'
import { SentenceWith } from '../sentence-with'
import { loadPart } from '@/lib/i18n/load-part'
import type { ZipProgress } from '@/lib/client/files/zip/zip-library'

export interface ImportZipDialogProps {
  readonly vfs: Vfs
  /** The target folder; absolute. */
  readonly folder: string
  /** A `File` has its own name. */
  readonly blob: Blob
  /** The conversation's last message, recorded as the change's origin. */
  readonly messageId: string | null
  /** False if the zip is already a file here. */
  readonly canKeep?: boolean
  /** Called with the added paths; none if the user cancelled. */
  readonly onDone: (paths: readonly string[]) => void
}

/** Asks what to do with a zip: shows its contents, what is left out and why, and which names exist already. */
export default function ImportZipDialog({
  vfs,
  folder,
  blob,
  messageId,
  canKeep = true,
  onDone,
}: ImportZipDialogProps) {
  const reading = useZipContents(vfs, folder, blob)
  const [onClash, setOnClash] = useState<'keep' | 'replace'>('keep')
  /** How many files are being written. */
  const [busy, setBusy] = useState(0)
  const [failure, setFailure] = useState<string | null>(null)
  const name = blob instanceof File ? blob.name : 'archive.zip'

  const place = async (
    action: string,
    options: { readonly replace?: boolean; readonly folders?: readonly string[] },
    files: readonly IncomingFile[],
  ) => {
    setBusy(Math.max(1, files.length))
    setFailure(null)
    const placed = await placeFiles(vfs.recording({ kind: 'user', action, messageId }), folder, files, options)
    setBusy(0)
    if (placed.ok) onDone(placed.value)
    else setFailure(placed.error.message)
  }
  const unpack = ({ files, folders }: ZipContents) =>
    place('unpacked', { replace: onClash === 'replace', folders }, files)
  const keep = async () => {
    const data = new Uint8Array(await blob.arrayBuffer())
    await place('uploaded', {}, [{ path: cleanName(name.replaceAll(/[/\\]/g, '_')), data }])
  }

  return (
    <Dialog
      label={labelOf(t('files-unzip.label', { name: asUntrusted(name) }))}
      look="dialog"
      onClose={() => onDone([])}
    >
      <h2>
        <SentenceText text={t('files-unzip.ask', { name: asUntrusted(name) })} />
      </h2>
      {reading.status === 'reading' ? (
        reading.allBytes === null ? (
          <Wait className="mt-1" what={t('wait.zip-look')} />
        ) : (
          <Progress
            className="mt-1"
            what={t('wait.zip-read', { done: reading.bytes, all: reading.allBytes })}
            done={reading.bytes}
            of={reading.allBytes}
          />
        )
      ) : null}
      {reading.status === 'failed' ? (
        <p role="alert">
          <SentenceText text={reading.message} />
        </p>
      ) : null}
      {reading.status === 'read' ? (
        <>
          <Contents contents={reading.contents} folder={folder} />
          {reading.clashes.length > 0 ? (
            <div className={row({}, 'mt-3 justify-between')}>
              <p>
                <SentenceText
                  text={t('files-unzip.taken', {
                    count: reading.clashes.length,
                    name: asUntrusted(reading.clashes[0] ?? ''),
                    folder: asUntrusted(folder),
                  })}
                />
              </p>
              <SegmentedControl
                label={t('files-unzip.on-clash')}
                value={onClash}
                options={[
                  { value: 'keep', label: t('files-unzip.keep-both') },
                  { value: 'replace', label: t('files-unzip.replace') },
                ]}
                onChange={setOnClash}
              />
            </div>
          ) : null}
        </>
      ) : null}
      {failure === null ? null : (
        <p role="alert" className="flex gap-2 text-danger">
          <Icon name="warn" className="mt-[0.1875rem]" /> {failure}
        </p>
      )}
      {busy > 0 ? <Wait className="mt-1" what={t('wait.unpack', { files: busy })} /> : null}
      <DialogFoot>
        <Button look="quiet" onClick={() => onDone([])}>
          {t('files-unzip.cancel')}
        </Button>
        {canKeep ? (
          <Button disabled={busy > 0} onClick={() => void keep()}>
            {t('files-unzip.keep')}
          </Button>
        ) : null}
        <Button
          look="ink"
          disabled={busy > 0 || reading.status !== 'read' || isEmpty(reading.contents)}
          onClick={() => (reading.status === 'read' ? void unpack(reading.contents) : undefined)}
        >
          {t('files-unzip.do')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

const isEmpty = ({ files, folders }: ZipContents) => files.length + folders.length === 0

const SHOWN = 100
const list = cx('mt-2 max-h-[min(14rem,30dvh)] overflow-y-auto rounded-md border border-line text-sm')
const line = cx('flex justify-between gap-3 px-3 py-1')

const More = ({ count }: { readonly count: number }) => (
  <li className={`${line} text-muted`}>{t('files-unzip.and-more', { count })}</li>
)

function Contents({ contents: { files, skipped }, folder }: { contents: ZipContents; folder: string }) {
  const bytes = files.reduce((sum, { data }) => sum + data.byteLength, 0)
  return (
    <>
      <p>
        <SentenceWith
          name={folder}
          say={(into) => t('files-unzip.would-come', { files: files.length, size: bytes, folder: into })}
        />
      </p>
      {files.length > 0 ? (
        <ul className={list} aria-label={t('files-unzip.files')} tabIndex={0}>
          {files.slice(0, SHOWN).map(({ path, data }) => (
            <li key={path} className={line}>
              <span className="truncate font-mono text-mono" data-tip={visibleText(path, 'name')}>
                <ForeignText text={path} />
              </span>
              <span className="flex-none text-muted tabular-nums">{formatBytes(data.byteLength)}</span>
            </li>
          ))}
          {files.length > SHOWN ? <More count={files.length - SHOWN} /> : null}
        </ul>
      ) : null}
      {skipped.length > 0 ? (
        <>
          <p>{t('files-unzip.left-out', { count: skipped.length })}</p>
          <ul className={list} aria-label={t('files-unzip.left-out-label')} tabIndex={0}>
            {skipped.slice(0, SHOWN).map(({ name, why }, index) => (
              <li key={index} className="grid px-3 py-1">
                <span className="truncate font-mono text-mono" data-tip={visibleText(name, 'name')}>
                  <ForeignText text={name} />
                </span>
                <span className="text-muted">
                  <SentenceText text={why} />
                </span>
              </li>
            ))}
            {skipped.length > SHOWN ? <More count={skipped.length - SHOWN} /> : null}
          </ul>
        </>
      ) : null}
    </>
  )
}

type ZipReading =
  /** `allBytes` is null until the zip's directory is read. */
  | { readonly status: 'reading'; readonly bytes: number; readonly allBytes: number | null }
  | { readonly status: 'failed'; readonly message: string }
  | { readonly status: 'read'; readonly contents: ZipContents; readonly clashes: readonly string[] }

/** Unpacks a zip in memory, within the space that is left; `clashes` are names that exist in the folder. */
function useZipContents(vfs: Vfs, folder: string, blob: Blob): ZipReading {
  const [reading, setReading] = useState<ZipReading>({ status: 'reading', bytes: 0, allBytes: null })
  useEffect(() => {
    const stop = new AbortController()
    const read = async () => {
      const { readZip } = await loadPart(() => import('@/lib/client/files/zip/read-zip'))
      const usage = await vfs.usage()
      const limits = {
        maxFiles: Math.max(0, vfsLimits.maxFiles - usage.files),
        maxFileBytes: vfsLimits.maxFileBytes,
        maxTotalBytes: Math.max(0, usage.limitBytes - usage.usedBytes),
      }
      let shown = 0
      const onProgress = ({ bytes, allBytes = bytes }: ZipProgress) => {
        // A render for every file would be more than anyone can see.
        if (bytes - shown < allBytes / 100) return
        shown = bytes
        setReading({ status: 'reading', bytes, allBytes })
      }
      const result = await readZip(blob, limits, { signal: stop.signal, onProgress })
      if (!result.ok) return setReading({ status: 'failed', message: result.error.message })
      const listed = await vfs.list(folder)
      if (stop.signal.aborted) return
      const taken = new Set(listed.ok ? listed.value.map(({ name }) => name) : [])
      const tops = new Set(
        [...result.value.files.map(({ path }) => path), ...result.value.folders].map(
          (path) => path.split('/')[0] ?? '',
        ),
      )
      setReading({ status: 'read', contents: result.value, clashes: [...tops].filter((name) => taken.has(name)) })
    }
    read().catch(() => {
      if (!stop.signal.aborted) {
        setReading({ status: 'failed', message: t('files-unzip.unreadable') })
      }
    })
    return () => stop.abort()
  }, [vfs, folder, blob])
  return reading
}
