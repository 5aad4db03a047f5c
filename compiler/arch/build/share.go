package build

import "fmt"

// groups names the group of every PE whose template shares its iterative units. As few groups as its 'share' allows
// are about the same size, each of PEs that stand close to each other.
func (n *network) groups() map[*netPE]string {
	out := map[*netPE]string{}
	for _, k := range n.a.pes {
		if k.share == 0 {
			continue
		}
		var left []*netPE
		for _, p := range n.pes {
			if n.a.grid[p.row][p.col] == k {
				left = append(left, p)
			}
		}
		count := (len(left) + k.share - 1) / k.share
		for g := range count {
			size := (len(left) + count - g - 1) / (count - g)
			var group []*netPE
			for range size {
				best, least := 0, -1
				for i, p := range left {
					// How far it is from all that are in the group; the first begins one.
					far := 0
					for _, q := range group {
						far += distance(p.row, q.row) + distance(p.col, q.col)
					}
					if least < 0 || far < least {
						best, least = i, far
					}
				}
				group = append(group, left[best])
				out[left[best]] = fmt.Sprintf("%s_%d", k.name, g)
				left = append(left[:best:best], left[best+1:]...)
			}
		}
	}
	return out
}

func distance(a, b int) int { return max(a-b, b-a) }
