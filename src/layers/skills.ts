import type { Layer } from '../ports/layer.js'
import type { InlineSkill, OutlineSkill, Skill } from '../ports/skill.js'
import type { Texts } from '../ports/texts.js'
import { fill } from '../texts/index.js'
import { cleanText } from '../workspace/clean.js'
import { priorities } from '../workspace/priorities.js'
import { oneLine } from './one-line.js'

/**
 * Inline skills, a section each, then the outline of those that the model reads when it needs them.
 *
 * @param options - `heading`: stand under the skills heading. Default `true`.
 */
export function skillsLayer(options: { readonly heading?: boolean } = {}): Layer {
  return {
    id: 'skills',
    stability: 'static',
    render: ({ agent: { skills }, texts }) => {
      const headings = options.heading === false ? [] : [texts.headingSkills]
      const inline = skills.filter(isInline).filter(({ text }) => text.trim() !== '')
      const outline = skills.filter(isOutline)
      return [
        ...inline.map(({ id, text }) => ({
          id: `skills/${id}`,
          headings,
          text: cleanText(text).text,
          priority: priorities.skills,
        })),
        ...(outline.length === 0 ? [] : [{ headings, text: outlineOf(outline, texts), priority: priorities.outline }]),
      ]
    },
  }
}

function outlineOf(skills: readonly OutlineSkill[], texts: Texts): string {
  const lines = skills.map(({ id, description, path }) =>
    fill(texts.skillLine, { id: oneLine(id), description: oneLine(description), path: oneLine(path) }),
  )
  return [texts.skillsIntro, ...lines, texts.skillsOutro].join('\n')
}

function isInline(skill: Skill): skill is InlineSkill {
  return 'text' in skill
}

function isOutline(skill: Skill): skill is OutlineSkill {
  return !isInline(skill)
}
