'use client'

import { useId, useRef, useState, type DragEvent } from 'react'
import { useConversation } from '@/components/context/chat-context'
import { chosenFiles, droppedFiles } from '@/components/files/upload/read-drop'
import { headEnd, section, sectionHead, settingsNote } from '@/components/settings/settings-styles'
import { Button } from '@/components/ui/controls/button'
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
import { ownNames, type OwnSkill } from '@/lib/shared/skills/own-skills'
import { isSkill } from '@/lib/shared/skills/skill'
import { ReviewSheet } from './review-sheet'
import { SkillRow } from './skill-row'
import { useSkills } from './use-skills'

/** React’s types don’t know it; every browser does. */
const wholeFolder = { webkitdirectory: '' }

/** The skills of this chat: which are offered, what waits for a look, and how more come in. */
export default function SkillsPanel() {
  useLanguage()
  const heading = useId()
  const id = useConversation((view) => view.id)
  const { found, problem: unread } = useSkills()
  const [problem, setProblem] = useState<string | null>(null)
  const [adding, setAdding] = useState(false)
  const [reviewed, setReviewed] = useState<string | null>(null)
  const [isOver, setIsOver] = useState(false)
  const { at, close, button } = usePopoverButton()
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
  const put = async (skills: readonly IncomingSkill[]): Promise<string | null> => {
    for (const { name, files } of skills) {
      const why = await chatSkills.put(id, name, files)
      if (why !== null) return why
    }
    return null
  }
  const addOwn = async (name: OwnSkill) => put([{ name, files: await loadOwnSkill(name) }])
  const take = (chosen: Promise<ReturnType<typeof chosenFiles>> | ReturnType<typeof chosenFiles>) =>
    run(async () => {
      const read = await skillsOfFiles(await chosen)
      return read.ok ? put(read.value) : read.error.message
    })
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    void take(droppedFiles(event.dataTransfer))
  }

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
  ]
  const review = skills.find(({ name }) => name === reviewed)
  return (
    <section
      className={cx(section(), isOver && 'bg-hover')}
      aria-labelledby={heading}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={onDrop}
    >
      <h3 className={sectionHead()} id={heading}>
        {t('skills.title')}
      </h3>
      <p className={settingsNote()}>{t('skills.about')}</p>
      {found === null && unread === null ? <Wait what={t('skills.reading')} /> : null}
      {found && skills.length === 0 ? (
        <>
          <p className={settingsNote()}>{t('skills.none')}</p>
          <ul className={cx(rows(), 'mb-3')}>
            {ownNames.map((name) => (
              <li
                key={name}
                className="flex min-h-11 items-center gap-3 px-3.5 py-2 not-first:border-t not-first:border-line"
              >
                <span className="me-auto text-pretty">{t(`skills.own.${name}`)}</span>
                <Button
                  aria-label={labelOf(t('skills.add-own', { name: asUntrusted(name) }))}
                  disabled={adding}
                  onClick={() => void run(() => addOwn(name))}
                >
                  {t('skills.add-short')}
                </Button>
              </li>
            ))}
          </ul>
        </>
      ) : null}
      {skills.length > 0 ? (
        <ul className={cx(rows(), 'mb-3')} aria-label={t('skills.title')}>
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
          <span className={headEnd()}>
            {t('skills.tokens', { tokens: tokensOf(offered(skills)), most: skillLimits.tokens })}
          </span>
        ) : null}
      </div>
      <input
        ref={zipField}
        type="file"
        accept=".zip,.skill,application/zip"
        hidden
        aria-label={t('skills.from-zip')}
        onChange={({ currentTarget }) => {
          const chosen = chosenFiles(currentTarget.files ?? [])
          currentTarget.value = ''
          void take(chosen)
        }}
      />
      <input
        ref={folderField}
        type="file"
        {...wholeFolder}
        hidden
        aria-label={t('skills.from-folder')}
        onChange={({ currentTarget }) => {
          const chosen = chosenFiles(currentTarget.files ?? [])
          currentTarget.value = ''
          void take(chosen)
        }}
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

/** What these cost in each prompt. */
function tokensOf(skills: readonly ChatSkill[]): number {
  const lines = skills.flatMap(({ name, read }) => (isSkill(read) ? [{ name, description: read.line }] : []))
  return skillLines(lines, neutralise).lines.reduce((sum, line) => sum + estimateTokens(line), 0)
}
