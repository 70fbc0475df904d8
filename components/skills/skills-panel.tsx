'use client'

import { useEffect, useEffectEvent, useId, useRef, useState, type RefObject } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { type ChosenFile, chosenFiles, droppedFiles } from '@/components/files/upload/read-drop'
import { Button } from '@/components/ui/controls/button'
import { FileField } from '@/components/ui/forms/file-field'
import { Icon } from '@/components/ui/controls/icon'
import { usePopoverButton } from '@/components/ui/controls/use-popover-button'
import { useLanguage } from '@/components/ui/page/use-language'
import { Wait } from '@/components/ui/page/wait'
import { Menu, type MenuItem } from '@/components/ui/popups/menu'
import { rows } from '@/components/ui/recipes/field'
import { cx } from '@/components/ui/recipes/recipe'
import { row } from '@/components/ui/recipes/surface'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import type { ChatSkill } from '@/lib/client/skills/chat-skills'
import { type IncomingSkill, skillsOfFiles } from '@/lib/client/skills/import-skills'
import { chatSkills, loadOwnSkill } from '@/lib/client/wiring/skills.browser'
import { t } from '@/lib/i18n/t'
import { skillLimits, skillLines } from '@/lib/protocols/prompt/skill-lines'
import { estimateTokens } from '@/lib/protocols/prompt/token-estimate'
import { neutralise } from '@/lib/protocols/registry'
import { ownNames, type OwnSkill } from '@/lib/shared/skills/skill-path'
import { isSkill } from '@/lib/shared/skills/skill'
import { mayHaveToolServers } from '@/lib/client/wiring/noted.browser'
import { FromServer } from './from-server'
import { ReviewSheet } from './review-sheet'
import { SkillRow } from './skill-row'
import { useSkills } from './use-skills'

const noteLook = 'mb-3 text-sm text-pretty text-muted'

/** The skills of this chat: which are offered, which wait for approval, and how to add more. */
export default function SkillsPanel() {
  useLanguage()
  const heading = useId()
  const id = useConversation((view) => view.id)
  const { found, problem: unread } = useSkills()
  const [problem, setProblem] = useState<string | null>(null)
  const [adding, setAdding] = useState(false)
  const [reviewed, setReviewed] = useState<string | null>(null)
  const { at, close, button } = usePopoverButton()
  const [looks, setLooks] = useState(false)
  const zipField = useRef<HTMLInputElement>(null)
  const folderField = useRef<HTMLInputElement>(null)

  const run = async (work: () => Promise<string | null | void>) => {
    setAdding(true)
    try {
      setProblem((await work()) ?? null)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
    setAdding(false)
  }
  const put = async (incoming: readonly IncomingSkill[]): Promise<string | null> => {
    for (const { name, files } of incoming) {
      const why = await chatSkills.put(id, name, files)
      if (why !== null) return why
    }
    return null
  }
  const addOwn = async (name: OwnSkill) => put([{ name, files: await loadOwnSkill(name) }])
  const take = (chosen: Promise<readonly ChosenFile[]>) =>
    void run(async () => {
      const read = await skillsOfFiles(await chosen)
      return read.ok ? put(read.value) : read.error.message
    })
  const place = useRef<HTMLElement>(null)
  const isOver = useDrop(place, take)

  const skills = found?.skills ?? []
  const there = new Set(skills.map(({ name }) => name))
  const items: readonly MenuItem[] = [
    ...ownNames
      .filter((name) => !there.has(name))
      .map((name) => ({ label: t(`skills.own.${name}`), run: () => void run(() => addOwn(name)) })),
    ...(found?.shelf ?? [])
      .filter(({ name }) => !there.has(name))
      .map(({ name, files }) => ({
        label: t('skills.from-shelf', { name: asUntrusted(name) }),
        run: () => void run(() => put([{ name, files }])),
      })),
    { label: t('skills.from-zip'), group: '', run: () => zipField.current?.click() },
    { label: t('skills.from-folder'), run: () => folderField.current?.click() },
    ...(mayHaveToolServers() ? [{ label: t('skills.from-server'), run: () => setLooks(true) }] : []),
  ]
  const review = skills.find(({ name }) => name === reviewed)
  return (
    <section className={cx('p-5 narrow:px-3.5', isOver && 'bg-hover')} aria-labelledby={heading} ref={place}>
      <h3 className="mb-1 text-md font-strong" id={heading}>
        {t('skills.title')}
      </h3>
      <p className={noteLook}>{t('skills.about')}</p>
      {found === null && unread === null ? <Wait what={t('skills.reading')} /> : null}
      {found && skills.length === 0 ? (
        <OwnSkills disabled={adding} onAdd={(name) => void run(() => addOwn(name))} />
      ) : null}
      {skills.length > 0 ? (
        <div className={cx(rows(), 'mb-3')}>
          <p
            className="flex gap-2 border-b border-line bg-sunken px-3.5 py-2 text-sm text-muted narrow:hidden pointer-coarse:hidden"
            aria-hidden="true"
          >
            <span className="me-auto">{t('skills.column.skill')}</span>
            <span>{t('skills.column.tokens')}</span>
            <span className="me-10">{t('skills.column.offer')}</span>
          </p>
          <ul aria-label={t('skills.title')}>
            {skills.map((skill) => (
              <SkillRow
                key={skill.name}
                skill={skill}
                tokens={tokensOf([skill])}
                onReview={() => setReviewed(skill.name)}
                onOffer={(on) => void run(() => chatSkills.setOff(id, skill.name, !on))}
                onKeep={(keep) =>
                  void run(() => (keep ? chatSkills.keep(id, skill.name) : chatSkills.takeOff(skill.name)))
                }
                onRemove={() => void run(() => chatSkills.remove(id, skill.name))}
              />
            ))}
          </ul>
        </div>
      ) : null}
      {(problem ?? unread) ? (
        <p className="mb-3 flex gap-2 text-sm text-danger [&>svg]:mt-0.75" role="alert">
          <Icon name="warn" />
          <span>
            <SentenceText text={problem ?? unread ?? ''} />
          </span>
        </p>
      ) : null}
      <div className={row()}>
        <Button {...button} aria-haspopup="menu" disabled={adding || found === null}>
          {t('skills.add')}
        </Button>
        {at ? <Menu label={t('skills.add')} at={at} items={items} onClose={close} /> : null}
        {adding ? <Wait what={t('skills.adding')} /> : null}
        {skills.length > 0 ? (
          <span className="ms-auto text-sm text-muted tabular-nums">
            {t('skills.tokens', { tokens: tokensOf(offered(skills)), most: skillLimits.tokens })}
          </span>
        ) : null}
      </div>
      {looks ? <FromServer disabled={adding} onAdd={(incoming) => void run(() => put(incoming))} /> : null}
      <FileField
        field={zipField}
        label={t('skills.from-zip')}
        accept=".zip,.skill,application/zip"
        onPick={(files) => take(Promise.resolve(chosenFiles(files)))}
      />
      <FileField
        field={folderField}
        label={t('skills.from-folder')}
        folder
        onPick={(files) => take(Promise.resolve(chosenFiles(files)))}
      />
      {review ? (
        <ReviewSheet
          key={review.hash}
          skill={review}
          tokens={tokensOf([review])}
          onApprove={() => chatSkills.approve(id, review.name, review.hash)}
          onClose={() => setReviewed(null)}
        />
      ) : null}
    </section>
  )
}

const offered = (skills: readonly ChatSkill[]) => skills.filter(({ state, isOff }) => state === 'approved' && !isOff)

/** The cost of these skills in each prompt. */
function tokensOf(skills: readonly ChatSkill[]): number {
  const lines = skills.flatMap(({ name, read }) => (isSkill(read) ? [{ name, description: read.line }] : []))
  return skillLines(lines, neutralise).lines.reduce((sum, line) => sum + estimateTokens(line), 0)
}

/** The built-in skills, if the chat has none: one click adds one. */
function OwnSkills({ disabled, onAdd }: { disabled: boolean; onAdd: (name: OwnSkill) => void }) {
  return (
    <>
      <p className={noteLook}>{t('skills.none')}</p>
      <ul className={cx(rows(), 'mb-3')}>
        {ownNames.map((name) => (
          <li
            key={name}
            className="flex min-h-11 items-center gap-3 px-3.5 py-2 not-first:border-t not-first:border-line"
          >
            <span className="me-auto text-pretty">{t(`skills.own.${name}`)}</span>
            <Button
              aria-label={labelOf(t('skills.add-own', { name: asUntrusted(name) }))}
              disabled={disabled}
              onClick={() => onAdd(name)}
            >
              {t('skills.add-short')}
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Receives files dropped on a part of the page; true while some are dragged over it. */
function useDrop(place: RefObject<HTMLElement | null>, take: (files: Promise<readonly ChosenFile[]>) => void): boolean {
  const [isOver, setIsOver] = useState(false)
  const onDrag = useEffectEvent((event: DragEvent) => {
    event.preventDefault()
    setIsOver(event.type === 'dragover')
    if (event.type === 'drop' && event.dataTransfer) take(droppedFiles(event.dataTransfer))
  })
  useEffect(() => {
    const target = place.current
    const listen = (event: DragEvent) => onDrag(event)
    const names = ['dragover', 'dragleave', 'drop'] as const
    for (const name of names) target?.addEventListener(name, listen)
    return () => {
      for (const name of names) target?.removeEventListener(name, listen)
    }
  }, [place])
  return isOver
}
