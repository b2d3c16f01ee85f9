import type { Language, Words } from '../../kernel/languages.ts';

/** What decides a line of a plan, the first of them first. */
export type By =
  | 'settings'
  | 'simcha.json'
  | 'Procfile'
  | 'package.json'
  | '.node-version'
  | '.nvmrc'
  | 'lockfile'
  | 'framework'
  | 'files';

export type Line =
  | 'node'
  | 'type'
  | 'install'
  | 'build'
  | 'caches'
  | 'start'
  | 'publish'
  | 'spa'
  | 'port'
  | 'health'
  | 'processes'
  | 'release'
  | 'cron';

/** One thing that was recognised in a source, and what follows. */
export type Finding =
  | { kind: 'framework'; framework: string; by: string; source: string }
  | { kind: 'line'; line: Line; value: string; by: By }
  | { kind: 'development'; script: string; tool: string }
  | { kind: 'files_only'; line: Line; value: string };

/** A finding as a sentence. */
export function sayFinding(finding: Finding, language: Language): string {
  return wordsOf(finding)[language];
}

function wordsOf(finding: Finding): Words {
  switch (finding.kind) {
    case 'framework': {
      const { framework, by, source } = finding;
      return {
        he: `זוהתה ${framework} לפי ${by} (${source}).`,
        ar: `تُعرّف على ${framework} من خلال ${by} (${source}).`,
        en: `Recognised ${framework} by ${by} (${source}).`,
      };
    }
    case 'line': {
      const { line, value, by } = finding;
      const from = BY[by];
      return {
        he: `${LINES[line].he}: ${value} (${from.he})`,
        ar: `${LINES[line].ar}: ${value} (${from.ar})`,
        en: `${LINES[line].en}: ${value} (${from.en})`,
      };
    }
    case 'development': {
      const { script, tool } = finding;
      return {
        he: `הסקריפט start (${script}) הוא שרת פיתוח בלבד (${tool}), ולכן אינו מורץ.`,
        ar: `السكربت start (${script}) خادم تطوير فقط (${tool})، لذلك لا يُشغَّل.`,
        en: `The start script (${script}) is a development server alone (${tool}): it is not run.`,
      };
    }
    case 'files_only': {
      const { line, value } = finding;
      return {
        he: `${LINES[line].he}: ${value} לא יורץ, כי האתר הוא קבצים בלבד.`,
        ar: `${LINES[line].ar}: ${value} لن يُشغَّل، لأن الموقع ملفات فقط.`,
        en: `${LINES[line].en}: ${value} is not run, for the site is files alone.`,
      };
    }
  }
}

const BY: Readonly<Record<By, Words>> = {
  settings: { he: 'ההגדרות של האפליקציה', ar: 'إعدادات التطبيق', en: 'the application’s settings' },
  'simcha.json': { he: 'simcha.json', ar: 'simcha.json', en: 'simcha.json' },
  Procfile: { he: 'Procfile', ar: 'Procfile', en: 'Procfile' },
  '.node-version': { he: '.node-version', ar: '.node-version', en: '.node-version' },
  '.nvmrc': { he: '.nvmrc', ar: '.nvmrc', en: '.nvmrc' },
  'package.json': { he: 'package.json', ar: 'package.json', en: 'package.json' },
  lockfile: { he: 'קובץ הנעילה', ar: 'ملف القفل', en: 'the lockfile' },
  framework: { he: 'כך בונים איתה', ar: 'هكذا يُبنى بها', en: 'as its documentation says' },
  files: { he: 'לפי הקבצים', ar: 'حسب الملفات', en: 'by the files there are' },
};

const LINES: Readonly<Record<Line, Words>> = {
  node: { he: 'גרסת Node.js', ar: 'إصدار Node.js', en: 'node' },
  type: { he: 'סוג', ar: 'النوع', en: 'type' },
  install: { he: 'התקנה', ar: 'التثبيت', en: 'install' },
  build: { he: 'בנייה', ar: 'البناء', en: 'build' },
  caches: { he: 'נשמר לבנייה הבאה', ar: 'يُحفظ للبناء التالي', en: 'caches' },
  start: { he: 'הפעלה', ar: 'التشغيل', en: 'start' },
  publish: { he: 'תיקייה לפרסום', ar: 'مجلد النشر', en: 'publish' },
  spa: { he: 'דף יחיד', ar: 'صفحة واحدة', en: 'spa' },
  port: { he: 'פורט', ar: 'المنفذ', en: 'port' },
  health: { he: 'נתיב הבדיקה', ar: 'مسار الفحص', en: 'health' },
  processes: { he: 'תהליך', ar: 'عملية', en: 'process' },
  release: { he: 'לפני המעבר', ar: 'قبل التحويل', en: 'release' },
  cron: { he: 'מתוזמן', ar: 'مجدول', en: 'cron' },
};
