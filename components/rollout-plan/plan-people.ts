import { dataOf } from "#components/ui/use-list.ts";
import { callDoor, listAddress } from "#lib/core/call-door.ts";
import type { Page } from "#lib/core/paging.ts";

/** Somebody who can be an owner. */
export type Person = { id: number; name: string; account: string };
type Member = { userId: number; account: string; name: string };

const searchSize = 20;
/** Characters the directory wants before it searches. */
const searchCharsMin = 2;
const membersSize = 200;
const membersPagesMax = 10;

/** People known to the page: members of the project, and whoever came along with rows. */
export class PeopleBook {
  /** Whether the reader may read the members at all: who may not is not sent to be refused. */
  mayList = true;
  private byId = new Map<number, Person>();
  /** Members of the project; null while unknown. */
  private members: readonly Person[] | null = null;
  private loading: Promise<void> | null = null;

  /** Remembers names that came with rows. */
  learn(people: readonly (readonly [number, string])[]): void {
    for (const [id, name] of people) if (!this.byId.has(id)) this.byId.set(id, { id, name, account: "" });
  }

  name(id: number): string {
    return this.byId.get(id)?.name ?? String(id);
  }

  /** Names of people, as shown and copied. */
  names(ids: readonly number[]): string {
    return ids.map((id) => this.name(id)).join(", ");
  }

  /** Reads the members of the project once, for who may; again after it failed. */
  async load(): Promise<void> {
    if (!this.mayList || this.members) return;
    this.loading ??= this.readMembers().finally(() => {
      this.loading = null;
    });
    await this.loading;
  }

  private async readMembers(): Promise<void> {
    const people = new Map<number, Person>();
    for (let page = 1; page <= membersPagesMax; page++) {
      const address = listAddress("memberRole/list", page, membersSize);
      const { records, total } = dataOf(await callDoor<Page<Member>>(address, {}, { reading: true }));
      for (const { userId, name, account } of records) people.set(userId, { id: userId, name, account });
      if (page * membersSize >= total) break;
    }
    for (const person of people.values()) this.byId.set(person.id, person);
    this.members = [...people.values()];
  }

  /** Members that fit what is typed. Who may not read the members searches the directory; the save then says who is none. Rejects where they cannot be read. */
  async search(query: string, signal: AbortSignal): Promise<Person[]> {
    await this.load();
    const word = query.trim().toLowerCase();
    if (this.members) {
      const fits = (person: Person) => person.name.toLowerCase().includes(word) || person.account.toLowerCase().includes(word);
      return this.members.filter(fits).slice(0, searchSize);
    }
    if (word.length < searchCharsMin) return [];
    const input = { searchKey: word, page: 1, size: searchSize };
    const people = dataOf(await callDoor<{ records: Person[] }>("user/searchDirectory", input, { signal })).records;
    for (const person of people) this.byId.set(person.id, person);
    return people;
  }

  /** People by names or accounts separated by commas; undefined when one of them is unknown or the name is not unique. */
  read(text: string): number[] | undefined {
    const ids: number[] = [];
    for (const part of text.split(/[,，、;；\n]+/)) {
      const word = part.trim().toLowerCase();
      if (!word) continue;
      const all = [...this.byId.values()];
      const byAccount = all.filter((person) => person.account.toLowerCase() === word);
      const found = byAccount.length > 0 ? byAccount : all.filter((person) => person.name.toLowerCase() === word);
      if (found.length !== 1) return undefined;
      const { id } = found[0] as Person;
      if (!ids.includes(id)) ids.push(id);
    }
    return ids.length > 0 ? ids : undefined;
  }
}
