import { BlockList, isIP } from 'node:net';

/** IP networks, in any number. An IPv4 address that is written as IPv6 (`::ffff:10.0.0.1`) is in the networks of the IPv4 one. */
export class Networks {
  readonly #list = new BlockList();

  /**
   * Reads networks as people write them: `10.0.0.0/8`, or an address alone, separated by commas.
   * @returns undefined where one of them is none
   */
  static parse(text: string): Networks | undefined {
    const networks = new Networks();
    const isRead = text.split(',').every((part) => networks.#add(part.trim()));
    return isRead ? networks : undefined;
  }

  /** False for what is no address. */
  has(address: string): boolean {
    const version = isIP(address);
    return version !== 0 && this.#list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  }

  #add(part: string): boolean {
    const [, net = '', length] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(part) ?? [];
    const version = isIP(net);
    const longest = version === 4 ? 32 : 128;
    const bits = length === undefined ? longest : Number(length);
    if (version === 0 || bits > longest) return false;
    this.#list.addSubnet(net, bits, version === 4 ? 'ipv4' : 'ipv6');
    return true;
  }
}
