// A bot in Go: any legal action, each as likely, by the chance of its seat.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"math/rand"
	"os"
	"strconv"
)

func main() {
	in := bufio.NewReader(os.Stdin)
	in.ReadBytes('\n') // hello
	fmt.Println(`{"roundsim":1,"name":"chance"}`)
	chances := map[string]*rand.Rand{} // by sitting
	for text, err := in.ReadBytes('\n'); err == nil; text, err = in.ReadBytes('\n') {
		var line []json.RawMessage
		json.Unmarshal(text, &line)
		switch number, sitting := string(line[1]), string(line[2]); string(line[0]) {
		case `"sit"`:
			hash, _ := strconv.ParseUint(string(line[5][1:17]), 16, 64)
			chances[sitting] = rand.New(rand.NewSource(int64(hash)))
		case `"ask"`:
			var list []string
			legal := struct{ Count float64 }{}
			if json.Unmarshal(line[4], &list) == nil {
				legal.Count = float64(len(list))
			} else {
				json.Unmarshal(line[4], &legal) // very many: their number alone
			}
			fmt.Printf("[%s,%.0f]\n", number, math.Floor(chances[sitting].Float64()*legal.Count))
		case `"leave"`:
			delete(chances, sitting)
		}
	}
}
