'use client'

import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { useEffect, useState } from 'react'
import { Button, IconButton } from '@/components/ui/controls/button'
import { Icon } from '@/components/ui/controls/icon'
import { Dialog, DialogFoot } from '@/components/ui/popups/dialog'
import { Progress } from '@/components/ui/page/progress'
import { ForeignText, SentenceText } from '@/components/ui/text/foreign-text'
import type { FolderLink } from '@/lib/client/folder/folder-store'
import {
  requestFolderPermission,
  folderStore,
  foldersChanged,
  foldersOf,
  permissionOf,
  watchFolders,
} from '@/lib/client/wiring/files/folders.browser'
import { t } from '@/lib/i18n/t'
import type { Vfs } from '@/lib/vfs/vfs'
import SyncDialog from './sync-dialog'

export interface FolderBarsProps {
  readonly vfs: Vfs
  readonly conversationId: string
  readonly messageId: string | null
}

interface KnownLink {
  readonly link: FolderLink
  readonly permission: PermissionState
}

function useFolders(conversationId: string): readonly KnownLink[] {
  const [links, setLinks] = useState<readonly KnownLink[]>([])
  useEffect(() => {
    let wanted = true
    const look = async () => {
      const found = await foldersOf(conversationId)
      const known = await Promise.all(
        found.map(async (link) => ({ link, permission: await permissionOf(link.handle, 'read').catch(never) })),
      )
      if (wanted) setLinks(known)
    }
    void look()
    const unwatch = watchFolders(() => void look())
    return () => {
      wanted = false
      unwatch()
    }
  }, [conversationId])
  return links
}

const never = (): PermissionState => 'denied'

/** The linked folders on disk of which this chat has copies. */
export default function FolderBars({ vfs, conversationId, messageId }: FolderBarsProps) {
  const links = useFolders(conversationId)
  return links.map(({ link, permission }) => (
    <FolderBar
      key={`${link.id} ${permission}`}
      link={link}
      permission={permission}
      vfs={vfs.recording({ kind: 'user', action: 'synced', messageId })}
    />
  ))
}

interface FolderBarProps extends KnownLink {
  readonly vfs: Vfs
}

function FolderBar({ link, permission, vfs }: FolderBarProps) {
  const [open, setOpen] = useState<'sync' | 'unlink' | null>(null)
  const [asking, setAsking] = useState<AbortController | null>(null)
  const [refused, setRefused] = useState(permission === 'denied')
  const name = asUntrusted(link.name)
  const reconnect = async () => {
    const left = new AbortController()
    setAsking(left)
    const answer = await requestFolderPermission(link.handle, 'read', left.signal)
    setAsking(null)
    setRefused(answer === 'denied')
    // The other tabs have the permission too.
    if (answer === 'granted') foldersChanged()
  }
  return (
    <section
      className="border-b border-line py-1.5 ps-4 pe-2 text-sm"
      aria-label={labelOf(t('files-folder.bar', { name }))}
    >
      <div className="flex items-center gap-2">
        <Icon name="folder" className="flex-none" />
        <span className="me-auto min-w-0 truncate">
          <ForeignText text={link.name} /> <span className="text-muted">{t('files-folder.on-disk')}</span>
        </span>
        {permission === 'granted' ? (
          <Button onClick={() => setOpen('sync')}>{t('files-folder.sync')}</Button>
        ) : asking === null ? (
          <Button onClick={() => void reconnect()}>{t('files-folder.reconnect')}</Button>
        ) : null}
        <IconButton
          icon="cross"
          className="narrow:size-touch"
          label={labelOf(t('files-folder.unlink-name', { name }))}
          onClick={() => setOpen('unlink')}
        />
      </div>
      {asking ? (
        <Progress
          what={t('files-folder.asking', { name })}
          done={0}
          of={null}
          cancel={{ label: t('files-folder.cancel'), run: () => asking.abort() }}
        />
      ) : null}
      {refused && asking === null ? (
        <p role="alert" className="text-danger">
          <SentenceText text={t('files-folder.denied', { name })} />
        </p>
      ) : null}
      {open === 'sync' ? <SyncDialog vfs={vfs} link={link} onClose={() => setOpen(null)} /> : null}
      {open === 'unlink' ? <UnlinkDialog link={link} onClose={() => setOpen(null)} /> : null}
    </section>
  )
}

function UnlinkDialog({ link, onClose }: { readonly link: FolderLink; readonly onClose: () => void }) {
  const title = t('files-folder.unlink-ask', { name: asUntrusted(link.name) })
  const [failed, setFailed] = useState(false)
  const unlink = async () => {
    try {
      await folderStore().remove(link.id)
    } catch {
      return setFailed(true)
    }
    onClose()
    foldersChanged()
  }
  return (
    <Dialog label={labelOf(title)} onClose={onClose}>
      <h2>
        <SentenceText text={title} />
      </h2>
      <p>
        <SentenceText text={t('files-folder.unlink-about', { root: asUntrusted(link.root) })} />
      </p>
      {failed ? <p role="alert">{t('files-folder.no-room')}</p> : null}
      <DialogFoot>
        <Button onClick={onClose}>{t('files-folder.cancel')}</Button>
        <Button look="ink" onClick={() => void unlink()}>
          {t('files-folder.unlink')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
