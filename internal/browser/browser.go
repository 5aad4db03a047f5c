// Package browser drives a headless Chromium for tests of pages, over its DevTools
// protocol. Chromium reads messages from file descriptor 3 and writes them to 4, each
// with a zero byte at its end (--remote-debugging-pipe), so no library is needed.
package browser

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loom/internal/tools/toolstest"
)

// Page is a tab of a browser that ends with the test.
type Page struct {
	t       testing.TB
	cmd     *exec.Cmd
	in      *os.File
	replies chan reply
	next    int
	session string
	// Complaints are what the page wrote to its console as errors, and its exceptions.
	Complaints []string
}

// reply is an answer or an event.
type reply struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// patience is how long a browser may take for one answer, on a busy machine.
const patience = 60 * time.Second

// Open starts a browser with an empty page. Network access is off: a page that needs
// it fails.
func Open(t testing.TB) *Page {
	t.Helper()
	path := toolstest.Path(t, "chromium")
	p := &Page{t: t, replies: make(chan reply, 1000)}
	toR, toW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	fromR, fromW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	p.cmd = exec.Command(path, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
		"--disable-extensions", "--disable-background-networking", "--force-color-profile=srgb",
		"--remote-debugging-pipe", "--user-data-dir="+filepath.Join(dir, "profile"), "about:blank")
	p.cmd.Env = append(os.Environ(), "HOME="+dir)
	p.cmd.ExtraFiles = []*os.File{toR, fromW}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	toR.Close()
	fromW.Close()
	p.in = toW
	go p.listen(fromR)
	t.Cleanup(p.close)
	var target struct {
		ID string `json:"targetId"`
	}
	p.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var session struct {
		ID string `json:"sessionId"`
	}
	p.call("Target.attachToTarget", map[string]any{"targetId": target.ID, "flatten": true}, &session)
	p.session = session.ID
	p.call("Page.enable", nil, nil)
	p.call("Runtime.enable", nil, nil)
	p.call("Network.enable", nil, nil)
	return p
}

// listen takes what the browser says until it ends.
func (p *Page) listen(from *os.File) {
	defer from.Close()
	defer close(p.replies)
	r := bufio.NewReaderSize(from, 1<<20)
	for {
		text, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m reply
		if json.Unmarshal(text[:len(text)-1], &m) == nil {
			p.replies <- m
		}
	}
}

// close ends the browser. It kills what does not end by itself.
func (p *Page) close() {
	p.in.Close() // the end of its commands ends a browser
	done := make(chan struct{})
	go func() {
		for range p.replies {
		}
		_ = p.cmd.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		_ = p.cmd.Process.Kill()
		<-done
	}
}

// call sends a command and decodes its answer into result, unless that is nil.
func (p *Page) call(method string, params, result any) {
	p.t.Helper()
	p.next++
	m := map[string]any{"id": p.next, "method": method}
	if params != nil {
		m["params"] = params
	}
	if p.session != "" {
		m["sessionId"] = p.session
	}
	text, err := json.Marshal(m)
	if err != nil {
		p.t.Fatal(err)
	}
	if _, err := p.in.Write(append(text, 0)); err != nil {
		p.t.Fatalf("chromium has ended: %v", err)
	}
	limit := time.After(patience)
	for {
		select {
		case r, ok := <-p.replies:
			switch {
			case !ok:
				p.t.Fatalf("chromium has ended in %s", method)
			case r.ID != p.next:
				p.event(r)
				continue
			case r.Error != nil:
				p.t.Fatalf("%s: %s", method, r.Error.Message)
			case result != nil:
				if err := json.Unmarshal(r.Result, result); err != nil {
					p.t.Fatalf("%s: %v in %.200s", method, err, r.Result)
				}
			}
			return
		case <-limit:
			p.t.Fatalf("chromium does not answer %s", method)
		}
	}
}

// event notes complaints, and requests for anything but the page itself.
func (p *Page) event(r reply) {
	switch r.Method {
	case "Runtime.exceptionThrown":
		p.Complaints = append(p.Complaints, fmt.Sprintf("exception: %.600s", r.Params))
	case "Runtime.consoleAPICalled":
		if strings.Contains(string(r.Params), `"type":"error"`) {
			p.Complaints = append(p.Complaints, fmt.Sprintf("console: %.600s", r.Params))
		}
	case "Network.requestWillBeSent":
		var q struct{ Request struct{ URL string } }
		if json.Unmarshal(r.Params, &q) == nil && !strings.HasPrefix(q.Request.URL, "file:") && !strings.HasPrefix(q.Request.URL, "data:") {
			p.Complaints = append(p.Complaints, "request for "+q.Request.URL)
		}
	}
}

// Size sets the size of the page in pixels.
func (p *Page) Size(w, h int) {
	p.t.Helper()
	p.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": w, "height": h, "deviceScaleFactor": 1, "mobile": false}, nil)
}

// Dark chooses the colour scheme.
func (p *Page) Dark(dark bool) {
	p.t.Helper()
	scheme := map[bool]string{true: "dark", false: "light"}[dark]
	p.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": scheme}}}, nil)
}

// Load shows a file and waits until its script has run.
func (p *Page) Load(file string) {
	p.t.Helper()
	var answer struct {
		ErrorText string `json:"errorText"`
	}
	p.call("Page.navigate", map[string]any{"url": "file://" + file}, &answer)
	if answer.ErrorText != "" {
		p.t.Fatalf("%s: %s", file, answer.ErrorText)
	}
	p.Eval(`new Promise(done => { if (document.readyState === "complete") done(0); else addEventListener("load", () => done(0)); })`, nil)
	p.Settle()
}

// Settle waits until the page has drawn, also what it draws after a change of its size.
func (p *Page) Settle() {
	p.t.Helper()
	p.Eval(`new Promise(done => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(() => done(0))), 120))`, nil)
}

// Eval evaluates an expression in the page, of a promise its result, and decodes its
// JSON into result, unless that is nil.
func (p *Page) Eval(expression string, result any) {
	p.t.Helper()
	var answer struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Exception *struct {
			Text      string `json:"text"`
			Exception struct {
				Description string `json:"description"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	p.call("Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true}, &answer)
	if answer.Exception != nil {
		p.t.Fatalf("%.300s: %s %s", expression, answer.Exception.Text, answer.Exception.Exception.Description)
	}
	if result != nil {
		if err := json.Unmarshal(answer.Result.Value, result); err != nil {
			p.t.Fatalf("%.300s: %v in %.300s", expression, err, answer.Result.Value)
		}
	}
}

// Click clicks at a place, in pixels.
func (p *Page) Click(x, y float64) {
	p.t.Helper()
	for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		p.call("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1}, nil)
	}
}

// codes are the numbers of keys without a text, by which the browser itself knows them.
var codes = map[string]int{"Enter": 13, "Escape": 27, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}

// Key presses a key, named as in KeyboardEvent.key, and waits until the page has drawn what it does:
// Chromium drops a key that comes while a dialog is being closed.
func (p *Page) Key(key string) {
	p.t.Helper()
	down := map[string]any{"type": "keyDown", "key": key, "windowsVirtualKeyCode": codes[key]}
	if len(key) == 1 {
		down["text"] = key
	}
	p.call("Input.dispatchKeyEvent", down, nil)
	p.call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key}, nil)
	p.Eval(`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))`, nil)
}

// Screenshot writes the page as PNG.
func (p *Page) Screenshot(file string) {
	p.t.Helper()
	var shot struct {
		Data string `json:"data"`
	}
	p.call("Page.captureScreenshot", map[string]any{"format": "png"}, &shot)
	data, err := base64.StdEncoding.DecodeString(shot.Data)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		p.t.Fatal(err)
	}
}
