/**
 * What a label speaks of. An `agent` is a name in a line of its own, but as a heading it is just a heading. A `nickname`
 * is a name where there is no other. `standing` is 身份, which files use both ways:
 * beside a name it says what the agent is to its people, and alone it holds the name.
 */
export type IdentityLabel = 'name' | 'agent' | 'nickname' | 'standing' | 'role' | 'goals' | 'voice' | 'emoji' | 'avatar'

const labels: Readonly<Record<IdentityLabel, string>> = {
  name: `
    name | names | my name | your name | the name | agent name | assistant name | bot name | ai name | full name
    display name | character name | persona name
    名字 | 姓名 | 名称 | 名稱 | 我的名字 | 你的名字 | 智能体名称 | 助手名称 | 代理名称 | 角色名 | 角色名称
    名前 | お名前 | なまえ | 氏名 | 名 | エージェント名 | アシスタント名
    이름 | 성명 | 성함 | 명칭 | 에이전트 이름 | 에이전트명 | 봇 이름`,
  agent: 'agent | 智能体 | 智能體 | エージェント | 에이전트',
  nickname: `
    nickname | nick | alias | aka | goes by | short name | call sign | callsign | preferred name
    昵称 | 暱稱 | 别名 | 別名 | 代号 | 代號 | 称呼 | 稱呼 | 小名 | 呼び名 | 呼び方 | 愛称 | ニックネーム | あだ名 | 通称
    별명 | 닉네임 | 애칭 | 호칭`,
  standing: '身份 | 身分',
  role: `
    role | roles | primary role | main role | job | job title | position | occupation | function
    角色 | 角色定位 | 定位 | 职责 | 職責 | 职位 | 職位 | 岗位 | 崗位 | 职业 | 職業 | 職務 | 担当 | 役割 | 役職 | ロール | 仕事
    역할 | 직책 | 직무 | 담당 | 직업`,
  goals: `
    goal | goals | main goal | primary goal | mission | purpose | objective | objectives
    目标 | 目標 | 使命 | 目的 | 宗旨 | 任务目标 | ゴール | ミッション | 목표 | 사명 | 목적 | 임무 | 미션`,
  voice: `
    voice | vibe | vibes | tone | tone of voice | style | speaking style | communication style | manner
    风格 | 風格 | 语气 | 語氣 | 气质 | 氣質 | 氛围 | 氛圍 | 口吻 | 语调 | 語調 | 说话风格 | 說話風格 | 说话方式 | 沟通风格
    語り口 | 話し方 | 口調 | 雰囲気 | トーン | スタイル | 文体 | 語調 | しゃべり方 | 喋り方 | バイブ | バイブス
    말투 | 분위기 | 어조 | 톤 | 스타일 | 말하는 방식 | 성향 | 바이브`,
  emoji: `
    emoji | emojis | signature emoji | 表情 | 表情符号 | 表情符號 | 签名表情 | 绘文字 | 絵文字 | エモジ | 이모지 | 이모티콘`,
  avatar: `
    avatar | profile picture | profile image | picture | portrait | 头像 | 頭像 | 形象图 | アバター | アイコン画像
    プロフィール画像 | 아바타 | 프로필 사진 | 프로필 이미지`,
}

const byText: ReadonlyMap<string, IdentityLabel> = new Map(
  (Object.keys(labels) as IdentityLabel[]).flatMap((label) =>
    labels[label].split(/[|\n]/).flatMap((text) => (text.trim() === '' ? [] : [[text.trim(), label] as const])),
  ),
)

/** In UTF-16 units; a longer text is a sentence. */
const maxLabel = 60

/**
 * The field that a label names, in English, Chinese, Japanese or Korean: `Name`, `**名前**`, `2. 이름`, `🦉 Emoji`,
 * `Name / 名字`, `Role (required)`.
 */
export function labelOf(text: string): IdentityLabel | undefined {
  if (text.length > maxLabel) return undefined
  const plain = text
    .replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[*`]/g, '')
    .replace(/[_\s\u3000-]+/g, ' ')
    // Numbering and pictures before it, a colon behind it.
    .replace(/^[^\p{L}]+|[\s:]+$/gu, '')
    .toLowerCase()
    // `Name 名字` says it twice.
    .replace(/([a-z]) (?=[^\x00-\x7f])|([^\x00-\x7f]) (?=[a-z])/, '$1$2/')
  return byText.get(plain) ?? byText.get((plain.split(/[/|([【・,]/, 1)[0] as string).trim())
}
